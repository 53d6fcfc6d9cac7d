import { rounds } from '@testing';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { joinLines } from './line-joining';
import { parseMail } from './mail-parsing';

const joined = (mail: string) => joinLines(Buffer.from(mail, 'latin1')).toString('latin1');
const text = async (mail: string) => (await parseMail(Buffer.from(mail))).text.trimEnd();

/** The mail as parsed by the library, with uniform line ends. */
async function readOf(mail: Buffer): Promise<unknown> {
  const unix = (said: string | undefined) => said?.replace(/\r\n?/g, '\n');
  const { text: plain, html, attachments } = await PostalMime.parse(mail, { forceRfc822Attachments: true });
  const attached = attachments.map(({ mimeType, filename, content }) => [
    mimeType,
    filename,
    unix(Buffer.from(content as ArrayBuffer).toString()),
  ]);
  return { text: unix(plain)?.trimEnd(), html: unix(html)?.trimEnd(), attached };
}

describe('lines that are joined', () => {
  it('are those of bodies, not of headers or boundaries', () => {
    expect(joined('A: b\r\nC: d\r\n e\r\n\r\none\r\ntwo\r\n--b\r\nE: f\r\n\r\nthree\r\n\r\nfour\r\n--b--\r\n')).toBe(
      'A: b\nC: d\n e\n\none\rtwo\n--b\nE: f\n\nthree\r\rfour\n--b--\n',
    );
  });

  const QUOTED = 'Content-Transfer-Encoding: Quoted-Printable';
  const FLOWED = 'Content-Type: text/plain;\n format=flowed';

  it.each([
    ['A: b', 'one=\ntwo \nthree\n four\nfive', 'one=\rtwo \rthree\r four\rfive'],
    [QUOTED, 'one=\ntwo \nthree\nfour', 'one=\ntwo \rthree\rfour'],
    ['A: b', 'one\n\ntwo\n\n\n', 'one\r\rtwo\n\n\n'],
    [QUOTED, 'one=\n-- \ntwo\n\nthree=\nfour\n', 'one=\n-- \ntwo\n\nthree=\nfour\r'],
    ['A: b', `--b\n${QUOTED}\n\none=\ntwo\nthree\n`, `--b\n${QUOTED}\n\none=\ntwo\rthree\r`],
  ])('stay apart where the break may be soft (%j, %j)', (field, body, expected) => {
    expect(joined(`${field}\n\n${body}`)).toBe(`${field}\n\n${expected}`);
  });

  it('are joined anyway beyond the number of soft breaks of a real mail', () => {
    const kept = (field: string, line: string) => joined(`${field}\n\n${line.repeat(5_000)}`).split('\n').length;
    expect(kept(QUOTED, '=\n')).toBeLessThan(2_010);
    expect(kept('A: b', '\n')).toBeLessThan(10);
  });

  it.each([
    ['plain text', 'Content-Type: text/plain', 'one\ntwo\n\nthree', 'one\ntwo\n\nthree'],
    ['quoted-printable', QUOTED, 'a=\nb=C3=A9\nc =\nd\n', 'abé\nc d'],
    ['base64', 'Content-Transfer-Encoding: base64', 'b25l\nCnR3\nbw==\n', 'one\ntwo'],
    ['flowed', FLOWED, 'one \ntwo\nthree\n  four', 'one two\nthree\n four'],
    ['a signature', 'Content-Type: text/plain', 'one\n\n\n-- \ntwo\nthree', 'one\n\n\n-- \ntwo\nthree'],
  ])('are parsed as before: %s', async (_what, field, body, said) => {
    for (const lineEnd of ['\n', '\r\n']) {
      const mail = `From: a@b.test\n${field}\n\n${body}`.replaceAll('\n', lineEnd);
      expect(await text(mail)).toBe(said);
    }
  });

  it('are parsed as before in HTML, in nested parts and in returned messages', async () => {
    const inner = 'Content-Type: text/html\n\n<p>one</p>\n<pre>two\nthree</pre>\n';
    const returned = 'Content-Type: message/rfc822\n\nFrom: c@d.test\nSubject: first\n second\n\nbody\n';
    const mail = await parseMail(
      Buffer.from(
        `From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: multipart/alternative; boundary=c\n\n` +
          `--c\n\nplain\ntext\n--c\n${inner}--c--\n--b\n${returned}--b--\n`,
      ),
    );
    expect(mail.text.trimEnd()).toBe('plain\ntext');
    expect(mail.html?.trimEnd()).toBe('<p>one</p>\n<pre>two\nthree</pre>');
    expect(mail.returned).toMatchObject({ from: { address: 'c@d.test' }, subject: 'first second' });
  });

  it('are parsed as before in plain text beside HTML, which is converted to HTML too', async () => {
    const mail = await parseMail(
      Buffer.from(
        'From: a@b.test\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/HTML\n\n<p>one</p>\n' +
          '--b\n\ntwo\nthree\n--b\nContent-Type: text/plain\n\nfour\nfive\n--b--\n',
      ),
    );
    expect(mail.html).toContain('two<br />three');
    expect(mail.html).toContain('four<br />five');
  });

  it('change nothing that the library parses, for any mail', async () => {
    const fields = fc.constantFrom(
      QUOTED,
      'Content-Type: text/plain',
      'Content-Type: text/html',
      'Content-Type: message/rfc822',
      'Content-Type: multipart/mixed; boundary=b',
      'Content-Type: multipart/alternative; boundary="c"',
      'Content-Transfer-Encoding: base64',
      'A: b',
    );
    const words = [
      '',
      'one',
      'two ',
      ' three',
      'four=',
      '=C3=A9',
      '-- ',
      '--b',
      '--b--',
      '--c',
      '> six',
      'b25l',
      '<p>',
    ];
    const header = fc.array(fields, { maxLength: 3 });
    const body = fc.array(fc.constantFrom(...words), { maxLength: 8 });
    const parts = fc.array(fc.tuple(fc.constantFrom('--b', '--c'), header, body), { maxLength: 5 });
    const mails = fc.tuple(header, body, parts, fc.constantFrom('\n', '\r\n'));
    await fc.assert(
      fc.asyncProperty(mails, async ([top, first, rest, lineEnd]) => {
        const below = rest.flatMap(([marker, fieldsOfPart, lines]) => [marker, ...fieldsOfPart, '', ...lines]);
        const mail = Buffer.from([...top, '', ...first, ...below].join(lineEnd));
        expect(await readOf(joinLines(mail))).toEqual(await readOf(mail));
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('lose only their line ends, for any content', () => {
    const ends = /\r*\n|\r/g;
    const line = fc.constantFrom('', '--b', 'A: b', ' c', 'd=', 'e ', 'f', '\r', '\r\n', '\n');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const mail = lines.join('\n');
        expect(joined(mail).replace(ends, '\n')).toBe(mail.replace(/\r+\n/g, '\n').replace(ends, '\n'));
      }),
    );
  });
});
