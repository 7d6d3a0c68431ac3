#!/bin/sh
# Installs the server of this folder, with the Node that it runs on: as root for the machine, with
# an account and a unit of systemd, or for one user with --prefix FOLDER. Run it again to upgrade.
# --uninstall removes the program, and leaves the data and the configuration.
set -eu
umask 022

prefix=/usr/local
action=install
while [ $# -gt 0 ]; do
  case $1 in
    --prefix) prefix=${2:?--prefix needs a folder}; shift 2 ;;
    --prefix=*) prefix=${1#--prefix=}; shift ;;
    --uninstall) action=uninstall; shift ;;
    -h | --help) sed -n '2,5s/^# //p' "$0"; exit 0 ;;
    *) echo "install.sh: unknown option $1 (--help)" >&2; exit 2 ;;
  esac
done

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$prefix"
prefix=$(CDPATH='' cd -- "$prefix" && pwd)
library=$prefix/lib/shardplane
program=$prefix/bin/shardplane
unit=/etc/systemd/system/shardplane.service
settings=/etc/shardplane/shardplane.yaml
for_machine=no
if [ "$prefix" = /usr/local ] && [ "$(id -u)" = 0 ]; then for_machine=yes; fi

has_systemd() { [ "$for_machine" = yes ] && [ -d /run/systemd/system ]; }

if [ "$action" = uninstall ]; then
  if has_systemd; then systemctl disable --now shardplane || true; fi
  rm -rf "$library" "$program"
  if [ "$for_machine" = yes ]; then rm -f "$unit"; fi
  if has_systemd; then systemctl daemon-reload; fi
  echo "shardplane is removed; its data and its configuration are where they were"
  exit 0
fi

"$here/node" -e 0 || { echo "install.sh: the Node in $here does not run on this machine" >&2; exit 1; }
mkdir -p "$prefix/bin" "$prefix/lib"
rm -rf "$library.new"
mkdir "$library.new"
cp -R "$here/node" "$here/node_modules" "$here/LICENSE" "$library.new"
# A server that runs goes on with the old files until it is started again.
rm -rf "$library.old"
if [ -e "$library" ]; then mv "$library" "$library.old"; fi
mv "$library.new" "$library"
rm -rf "$library.old"
cat > "$program.new" <<END
#!/bin/sh
exec "$library/node" "$library/node_modules/shardplane/tools/package/shardplane.mjs" "\$@"
END
chmod 755 "$program.new"
mv "$program.new" "$program"

if [ "$for_machine" = yes ]; then
  if ! id shardplane > /dev/null 2>&1; then
    useradd --system --home-dir /var/lib/shardplane --shell /usr/sbin/nologin shardplane
  fi
  mkdir -p /etc/shardplane
  [ -e "$settings" ] || cp "$here/node_modules/shardplane/tools/package/files/shardplane.yaml" "$settings"
  if [ -d /etc/systemd/system ]; then
    cp "$here/node_modules/shardplane/tools/package/files/shardplane.service" "$unit"
  fi
fi
if has_systemd; then
  systemctl daemon-reload
  echo "installed: systemctl enable --now shardplane"
else
  echo "installed: $program"
fi
