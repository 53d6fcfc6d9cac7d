import { WARMUP_LANGUAGES } from '../schemas/warmup.record';
import { parseModelScript, createScriptQuestion } from './script-question';
import { getPlot } from './thread-script';

const THREAD = { language: 'de', seed: 'thread', day: '2026-11-18' } as const;
const ANSWER = {
  subject: ' Our  plan',
  opening: 'One.\r\n\r\n\r\nTwo.',
  answer: 'B.',
  closing: 'C.',
  lastWord: 'D.',
  farewell: 'E.',
};

describe('the request to a language model', () => {
  it('names the topic and the language of the thread, and no person', () => {
    const { system, user, schema } = createScriptQuestion(THREAD);
    const { details } = getPlot(THREAD);
    expect(JSON.parse(user)).toEqual({
      language: expect.stringContaining('German'),
      about: expect.any(String),
      details,
      answer: expect.any(String),
      mood: expect.any(String),
    });
    expect(`${system}${user}`).not.toContain('@');
    expect(schema?.schema).toMatchObject({
      additionalProperties: false,
      required: expect.arrayContaining(['opening']),
    });
  });

  it('is the same for the same thread, and rarely the same for two', () => {
    for (const language of WARMUP_LANGUAGES) {
      expect(createScriptQuestion({ ...THREAD, language })).toEqual(createScriptQuestion({ ...THREAD, language }));
      const asked = Array.from(
        { length: 200 },
        (_, index) => createScriptQuestion({ ...THREAD, language, seed: `${index}` }).user,
      );
      expect(new Set(asked).size).toBeGreaterThan(195);
    }
  });
});

describe('the response of a language model', () => {
  it('is a thread of five mails without superfluous spaces', () => {
    expect(parseModelScript(ANSWER)).toEqual({ subject: 'Our plan', bodies: ['One.\n\nTwo.', 'B.', 'C.', 'D.', 'E.'] });
  });

  it.each([
    null,
    'text',
    [],
    {},
    { ...ANSWER, closing: undefined },
    { ...ANSWER, closing: 7 },
    { ...ANSWER, subject: ' ' },
    { ...ANSWER, more: 'x' },
  ])('is rejected when it is %j', (answer) => {
    expect(parseModelScript(answer)).toBeNull();
  });
});
