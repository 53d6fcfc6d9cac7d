import { joinFlowedText, markAsFixed } from './flowed-text';
import { parseMail } from './mail-parsing';

const join = (text: string, deletesBlanks = false) => joinFlowedText(text, { deletesBlanks });
const mailOf = (header: string, body: string) => Buffer.from(`From: a@b.test\n${header}\n\n${body}`, 'latin1');

describe('flowed text', () => {
  it.each([
    ['lines that end with a blank', 'one \ntwo\nthree', 'one two\nthree'],
    ['quoted lines of one depth', '> one \n> two\n>> a \n>> b', '> one two\n>> a b'],
    ['marks with blanks between', '> > a \n>> b', '> > a b'],
    ['paragraphs with stuffed blanks', '  one \n two', ' one two'],
  ])('joins %s', (_, text, joined) => {
    expect(join(text)).toBe(joined);
  });

  it.each([
    ['a quote and the answer', '> one \ntwo', '> one\ntwo'],
    ['an answer and the quote', 'one \n> two', 'one\n> two'],
    ['quotes of two depths', '>> one \n> two', '>> one\n> two'],
    ['the delimiter of a signature', 'one \n-- \nAda', 'one\n-- \nAda'],
    ['a blank quoted line', '> one\n> \n> two', '> one\n>\n> two'],
  ])('does not join %s', (_, text, joined) => {
    expect(join(text)).toBe(joined);
  });

  it('removes the blank before a soft break when the mail declares it (DelSp)', () => {
    expect(join('日本 \n語', true)).toBe('日本語');
    expect(join('> 日本 \n語', true)).toBe('> 日本\n語');
  });

  it.each([
    'Content-Type: text/plain; format=flowed',
    'Content-Type: text/plain; charset=utf-8;\n format="Flowed"; delsp=no',
    'Content-Type: text/plain; format=flowed\nContent-Transfer-Encoding: quoted-printable',
  ])('is read from a mail with "%s"', async (header) => {
    const { text } = await parseMail(mailOf(header, '> Hello Ada, \n> how are \n> you? \nPlease remove \nme\n'));
    expect(text.trimEnd()).toBe('> Hello Ada,\n> how are you?\nPlease remove me'.replace('Ada,\n> how', 'Ada, how'));
  });

  it('is declared by a part, and other fields stay unchanged', async () => {
    const header = 'Subject: format=flowed?\nContent-Type: multipart/mixed; boundary=b';
    const part = '--b\nContent-Type: text/plain; format=flowed\n\n> format=flowed \nYes \nsir\n--b--\n';
    const { text, subject } = await parseMail(mailOf(header, part));
    expect([text.trimEnd(), subject]).toEqual(['> format=flowed\nYes sir', 'format=flowed?']);
  });

  it.each(['Content-Type: text/plain', 'Subject: format=flowed', 'Content-Type: text/plain; format=fixed'])(
    'is not what a mail with "%s" has',
    (header) => {
      const mail = mailOf(header, 'format=flowed');
      expect(markAsFixed(mail)).toEqual({ mail, isFlowed: false, deletesBlanks: false });
    },
  );
});
