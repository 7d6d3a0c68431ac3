/**
 * Which values of a page are links, wherever the page is cut, and that all else stays as it came.
 */
import t from 'tap';
import { HtmlLinks } from '../../../src/front/agents/html-links.ts';
import { LINK_BYTES_MAX } from '../../../src/front/limits.ts';

/** Text between ⟨ and ⟩ is a link; these are no part of the page. */
const PAGES: readonly string[] = [
  '',
  'no page at all',
  '<!DOCTYPE html><html manifest="⟨/m⟩"><head profile=⟨/p⟩><base href=\'⟨/b/⟩\'></head>',
  '<a href="⟨/a⟩">1</a><A HREF="⟨/b⟩">2</A><a href=⟨/c⟩>3</a><a href=⟨/d/⟩>4</a>',
  '<a\n\thref = "⟨/a⟩"\r\n>1</a><a/href="⟨/b⟩"/>2<a id=x href="⟨/c⟩"class="y">3',
  '<a href>1<a href=>2<a href="⟨⟩">3<a href=\'⟨⟩\'>4<a href= "⟨/x⟩">5',
  '<a href="⟨/first⟩" href="⟨/second⟩">1',
  '<a data-href="/x" hrefs="/x" title="href=/x" hre="/x">1<ab href="/x">2<b href="/x">3',
  '<img src="⟨/i.png⟩" srcset="/i2.png 2x" longdesc="⟨/l⟩" usemap="⟨#m⟩" alt=\'<a href="/x">\'>',
  '<form action="⟨/f⟩"><button formaction="⟨/b⟩"><input src=⟨/i⟩ formaction=⟨/j⟩></form>',
  '<frame src="⟨/1⟩" longdesc=⟨/2⟩><object data="⟨/3⟩" codebase=⟨/4⟩ classid=⟨/5⟩ usemap=⟨#6⟩>',
  '<video src="⟨/1⟩" poster="⟨/2⟩"><audio src=⟨/3⟩><source src=⟨/4⟩><embed src=⟨/5⟩><area href=⟨/6⟩>',
  '<q cite="⟨/1⟩"><ins cite=⟨/2⟩><del cite=⟨/3⟩><blockquote cite=⟨/4⟩><applet codebase=⟨/5⟩>',
  '<body background="⟨/1⟩"><command icon=⟨/2⟩><link rel=x href=⟨/3⟩>',
  '<script src="⟨/x.js⟩">var a = \'<a href="/x">\'; b = a</b</scripts </script ><a href="⟨/y⟩">',
  '<style>a{}<a href="/x"></style id="/x"><a href="⟨/y⟩"><SCRIPT><a href=/x></Script\n><a href=⟨/y⟩>',
  '<title><a href="/x"></title><textarea><a href="/x"></textarea/><xmp><a href="/x"></xmp><a href="⟨/y⟩">',
  '<iframe src="⟨/i⟩"><a href="/x"></iframe><noscript><a href="/x"></noscript><a href=⟨/y⟩>',
  '<script/><a href="/x"></script><a href=⟨/y⟩></script href=/x><a href=⟨/z⟩>',
  '<a href=⟨/y⟩><plaintext><a href="/x"></plaintext><a href="/x">',
  '<!-- <a href="/x"> > -- > --><a href="⟨/y⟩"><!--><a href="⟨/1⟩"><!---><a href="⟨/2⟩">',
  '<!-- <a href="/x"> --!><a href="⟨/y⟩"><!--!><a href="/x">--><a href=⟨/z⟩><!----><a href=⟨/z⟩>',
  '<!-a <a href="/x"><a href=⟨/y⟩><?xml <a href="/x"?><a href=⟨/y⟩></ <a href="/x"><a href=⟨/z⟩>',
  '<![CDATA[<a href="/x">]]><a href=⟨/y⟩>',
  '</a href="/x"></><a href=⟨/y⟩><<a href=⟨/y⟩>< a href="/x"><1 href="/x"><a href=⟨/z⟩',
  '<svg><a xlink:href="/x"/></svg><meta http-equiv=refresh content="0;/x"><p style="a:url(/x)">',
  '<a ="/x" href=⟨/y⟩><a =href="/x" x=">" href=⟨/z⟩><a "href="/x">',
  `<a ${'x'.repeat(100)}=1 href=⟨/y⟩><${'a'.repeat(100)} href="/x">`,
  '<p title="é\xff">\xe4\xf6<a href="⟨/\xe4⟩">',
];

/** Rewrites a page that comes in such pieces. */
function rewritten(pieces: readonly string[]): string {
  const links = new HtmlLinks((value) => `{${value}}`);
  return pieces.map((piece) => links.push(piece)).join('') + links.end();
}

t.test('links are found, and all else is as it came', async (t) => {
  for (const row of PAGES) {
    const text = row.replaceAll(/[⟨⟩]/g, '');
    // A page may end before its last link does.
    const ended = row.replace(/⟨([^⟩]*)⟩$/, '$1');
    const expected = ended.replaceAll('⟨', '{').replaceAll('⟩', '}');
    t.equal(rewritten([text]), expected, row);
    for (let at = 1; at < text.length; at += 1) {
      const pieces = [text.slice(0, at), text.slice(at)];
      if (rewritten(pieces) !== expected) t.equal(rewritten(pieces), expected, `${row} at ${at}`);
    }
    t.equal(rewritten(text.split('')), expected, 'byte by byte');
  }
});

t.test('nothing is held but a link that has begun, and no link without a bound', async (t) => {
  const links = new HtmlLinks((value) => `{${value}}`);
  for (const piece of [
    '<p',
    ' title="',
    'a',
    '" ',
    '><a href="',
    '">',
    '<',
    '!-',
    '-',
    ' -',
    '-',
  ]) {
    const isLink = piece === '">';
    t.equal(links.push(piece), isLink ? `{}${piece}` : piece);
  }
  t.equal(links.push('><a href="/a'), '><a href="');
  const long = 'x'.repeat(LINK_BYTES_MAX);
  t.equal(links.push(long), `/a${long}`, 'one that is longer is none');
  t.equal(links.push('b"><a href="/c">'), 'b"><a href="{/c}">');
  t.equal(links.end(), '');
  links.push('<a href="/d');
  t.equal(links.end(), '/d', 'what the page ends in is there');
});
