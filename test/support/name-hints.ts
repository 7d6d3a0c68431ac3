/** The words about names that break a rule, as clients see them. */

export const SUBDOMAIN_HINT =
  'a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ' +
  "'-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex " +
  "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

export const LABEL_HINT =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and " +
  "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex " +
  "used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

export const NAME_PART_HINT =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
  "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used " +
  "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

export const CONFIG_KEY_HINT =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. " +
  "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
