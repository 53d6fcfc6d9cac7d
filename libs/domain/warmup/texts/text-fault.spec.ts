import { createLibraryScript } from './thread-script';
import { findScriptFault, findMailTextFault } from './text-fault';

const THREAD = { seed: 'thread', day: '2026-11-18' };

describe('text faults', () => {
  it.each([
    ['Hello {name}, shall we talk?', 'a placeholder'],
    ['Hello [Name], shall we talk?', 'a placeholder'],
    ['Hello <b>you</b>.', 'a placeholder'],
    ['We met at XX on Monday.', 'a placeholder'],
    ['Sign here: ______', 'a placeholder'],
    ['See https://acme.test for more.', 'a link or an address'],
    ['See www for acme.com.', 'a link or an address'],
    ['Write to me@acme.', 'a link or an address'],
    ['It costs 5 € more.', 'money or a percentage'],
    ['It is 50% done.', 'money or a percentage'],
    ['How nice!! Really.', 'shouting'],
    ['That is GREAT news.', 'shouting'],
    ['I see. , and then.', 'an empty sentence'],
    ['. And then.', 'an empty sentence'],
    ['I see,, and then.', 'an empty sentence'],
    ['I\u200b see.', 'invisible characters'],
    ['I\u0000 see.', 'invisible characters'],
    ['I \ud83d see.', 'invisible characters'],
    ['It is a free lunch.', 'the word free'],
    ['Please act  now.', 'the word act  now'],
    ['This is Urgent.', 'the word urgent'],
    ['We have discounts.', 'the word discounts'],
  ])('in %j: %s', (text, fault) => {
    expect(findMailTextFault(text, 'en')).toBe(fault);
  });

  it.each([
    ['de', 'Das ist ein Rabatt.', 'the word rabatt'],
    ['de', 'Das Überweisungsformular fehlt.', 'the word überweisungsformular'],
    ['fr', 'C’est gratuit.', 'the word gratuit'],
    ['es', 'Es una oferta.', 'the word oferta'],
    ['pt', 'Isso é grátis.', 'the word grátis'],
    ['nl', 'Dat is een aanbieding.', 'the word aanbieding'],
    ['it', 'È uno sconto.', 'the word sconto'],
  ] as const)('are detected in %s: %s', (language, text, fault) => {
    expect(findMailTextFault(text, language)).toBe(fault);
    expect(findMailTextFault(text, 'en')).toBeNull();
  });

  it.each(['Shall we meet at 10:30, or at 9.30?', 'I freed the room; a carefree day, e.g. Monday.', 'Ünder the désk.'])(
    'are absent from %j',
    (text) => {
      expect(findMailTextFault(text, 'en')).toBeNull();
    },
  );
});

describe('thread faults', () => {
  const good = createLibraryScript({ ...THREAD, language: 'en' });
  const body = (text: string) => ({ ...good, bodies: [...good.bodies.slice(0, 4), text] });
  const long = 'It is a good day for us and for the team. ';

  it('are absent from the library', () => {
    expect(findScriptFault(good, 'en')).toBeNull();
  });

  it.each([
    ['too few mails', { ...good, bodies: good.bodies.slice(1) }, '4 mails instead of 5'],
    ['no subject', { ...good, subject: '' }, 'the subject: its length'],
    ['a subject that is too long', { ...good, subject: 'word '.repeat(13).trim() }, 'the subject: its length'],
    ['the subject of a reply', { ...good, subject: 'AW: Our plan' }, 'the subject: a reply prefix'],
    ['a subject of two lines', { ...good, subject: 'Our\nplan' }, 'the subject: more than one line'],
    ['advertising in the subject', { ...good, subject: 'A free lunch' }, 'the subject: the word free'],
    ['a mail that is too short', body('It is fine, thanks.'), 'mail 5: 4 words'],
    ['a mail that is too long', body(long.repeat(9).trim()), 'mail 5: 99 words'],
    ['greets', body(`Hi Anna,\n\n${long.trim()}`), 'mail 5: a greeting'],
    ['signs', body(`${long}\n\nBest regards\nBen`), 'mail 5: a signature, or an incomplete sentence'],
    ['a link', body(`${long} See acme.com.`), 'mail 5: a link or an address'],
    ['a repeated mail', body(good.bodies[0] ?? ''), 'a repeated mail'],
  ])('include %s', (_name, script, fault) => {
    expect(findScriptFault(script, 'en')).toBe(fault);
  });

  it('include a language other than the requested one', () => {
    expect(findScriptFault(createLibraryScript({ ...THREAD, language: 'nl' }), 'de')).toBe('another language');
  });
});
