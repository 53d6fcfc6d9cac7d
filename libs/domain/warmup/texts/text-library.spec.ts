import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { listAssetFolders, listAssets, loadAllAssets, loadAsset } from '@platform/config';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { stringify } from 'yaml';
import { UpdateWarmupRequest } from '../dto/warmup-requests.dto';
import { WARMUP_LANGUAGES } from '../schemas/warmup.record';
import { createAttribution } from './attribution';
import { getLanguage } from './language-detection';
import { createScriptQuestion } from './script-question';
import { findSpamWord } from './spam-words';
import { listTextLanguages, getTextLibrary } from './text-library';
import { createLibraryScript, getPlot } from './thread-script';
import { createThreadText } from './thread-text';
import { type Topic, TOPICS } from './vocabulary';

const FOLDER = join(__dirname, '../assets/texts');
const FILES = ['frame.yaml', 'language.yaml', 'topics-daily.yaml', 'topics-work.yaml'];
const ANNA = { displayName: 'Anna Berg', address: 'anna@sender.test' };
const AT = new Date('2026-11-16T15:30:00Z');
const DAY = '2026-11-16';

const topic = (name: string, subject = 'Board [meeting|session] for {project}'): Topic => ({
  name,
  subjects: [subject],
  opening: [['The board meets on {day}.']],
  answers: [1, 2].map((number) => ({ reply: [[`Answer ${number}.`]], closing: [[`Closing ${number}.`]] })),
});

/** Whether a topic has texts in each part and as many slots as the English topic. */
const shapeOf = ({ name, subjects, opening, answers }: Topic) => ({
  name,
  subjects: subjects.length > 0,
  opening: opening.length,
  answers: answers.every(({ reply, closing }) => [...reply, ...closing].every(({ length }) => length > 0)),
});

let root: string;

function write(path: string, text: string): string {
  const file = join(root, 'warmup/texts', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Copies the English files as Swedish ones. */
function writeSwedish(): void {
  cpSync(join(FOLDER, 'en'), join(root, 'warmup/texts/sv'), { recursive: true });
  const attribution = {
    line: 'Den {weekday} {day} {month} {year} kl. {clock} skrev {who}:',
    clock: 24,
    days: ['mån', 'tis', 'ons', 'tors', 'fre', 'lör', 'sön'],
    months: ['jan', 'feb', 'mars', 'apr', 'maj', 'juni', 'juli', 'aug', 'sep', 'okt', 'nov', 'dec'],
  };
  const traits = {
    modelName: 'Swedish (du)',
    answerMarks: ['SV: '],
    attribution,
    commonWords: ['och', 'jag', 'det', 'att', 'som', 'inte', 'är', 'på', 'för', 'med'],
    spamWords: ['rabatt*', 'pengar', 'sista+chansen', 'köp', 'lån', 'pris', 'vinst', 'bonus', 'kasino', 'billig*'],
  };
  write('sv/language.yaml', stringify(traits));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'texts-'));
});
afterEach(() => {
  loadAllAssets('');
  rmSync(root, { recursive: true });
});

describe('the built-in texts', () => {
  it('exist for the documented languages, each with the same files', () => {
    expect(listAssetFolders(FOLDER)).toEqual([...WARMUP_LANGUAGES].toSorted());
    for (const language of WARMUP_LANGUAGES) expect(listAssets(join(FOLDER, language))).toEqual(FILES);
    expect(listTextLanguages()).toEqual(WARMUP_LANGUAGES);
  });

  it.each(WARMUP_LANGUAGES.flatMap((language) => FILES.map((file) => [language, file] as const)))(
    'fit their schema: %s/%s',
    (language, file) => {
      const schema = join(FOLDER, file.replace(/(-\w+)?\.yaml$/, '.schema.json'));
      expect(() => loadAsset({ folder: join(FOLDER, language), file, schema })).not.toThrow();
    },
  );

  it.each(WARMUP_LANGUAGES)(
    'have the topics of English in the same order and with the same slots in %s',
    (language) => {
      const { topics } = getTextLibrary(language);
      expect(topics.map(shapeOf)).toEqual(getTextLibrary('en').topics.map(shapeOf));
      expect(topics.map(({ name }) => name).toSorted()).toEqual([...TOPICS].toSorted());
      expect(Object.isFrozen(topics[0]?.answers[0]?.reply)).toBe(true);
    },
  );
});

describe('a language of the operator', () => {
  beforeEach(() => {
    writeSwedish();
    loadAllAssets(root);
  });

  it('is offered and accepted after the built-in ones', () => {
    expect(listTextLanguages()).toEqual([...WARMUP_LANGUAGES, 'sv']);
    const problems = (languages: string[]) => validateSync(plainToInstance(UpdateWarmupRequest, { languages }));
    expect(problems(['sv', 'en'])).toEqual([]);
    expect(problems(['da'])[0]?.constraints).toMatchObject({
      isIn: 'languages must be a non-empty list of en, de, fr, es, pt, nl, it, sv, each at most once',
    });
  });

  it('is used with its own reply prefix, attribution, words and name', () => {
    const { subject, text } = createThreadText({
      language: 'sv',
      seed: 'one',
      day: DAY,
      position: 1,
      from: ANNA,
      to: { displayName: 'Ben', address: 'ben@receiver.test' },
      at: AT,
      zone: 'UTC',
      previous: { from: ANNA, at: AT, text: 'Hej' },
    });
    expect(subject).toMatch(/^SV: /);
    expect(text).toContain('\nDen mån 16 nov 2026 kl. 15:30 skrev Anna Berg <anna@sender.test>:\n> Hej\n');
    expect(getLanguage('Jag vet inte om det är på måndag och för dig')).toBe('sv');
    expect(findSpamWord('Er sista  chansen', 'sv')).toBe('sista  chansen');
    expect(createScriptQuestion({ language: 'sv', seed: 'one', day: DAY }).user).toContain('"language":"Swedish (du)"');
  });

  it('is replaced by English after its files are removed, so that its threads continue', () => {
    loadAllAssets('');
    expect(getTextLibrary('sv')).toBe(getTextLibrary('en'));
    expect(createAttribution('sv', ANNA, AT, 'UTC')).toMatch(/^On Mon, Nov 16, 2026 at 3:30 PM/);
  });
});

describe('topics and frames of the operator', () => {
  it('replace the topic of the same name and follow the others', () => {
    write('en/ours.yaml', stringify({ topics: [topic('lunch', 'Our lunch'), topic('board-meeting')] }));
    loadAllAssets(root);
    const { topics } = getTextLibrary('en');
    expect(topics).toHaveLength(TOPICS.length + 1);
    expect(topics.at(-1)).toEqual(topic('board-meeting'));
    expect(topics.filter(({ name }) => name === 'lunch')).toEqual([topic('lunch', 'Our lunch')]);
    expect(getTextLibrary('de').topics).toHaveLength(TOPICS.length);
  });

  it('appear in threads, and by name in the request to the language model', () => {
    write('en/ours.yaml', stringify({ topics: [topic('board-meeting')] }));
    loadAllAssets(root);
    const threads = Array.from({ length: 200 }, (_, index) => ({ language: 'en', seed: `t${index}`, day: DAY }));
    const ours = threads.find((thread) => getPlot(thread).topic === 'board-meeting');
    if (ours === undefined) throw new Error('No thread has the topic');
    expect(createLibraryScript(ours).subject).toMatch(/^Board (meeting|session) for \w+$/);
    expect(createScriptQuestion(ours).user).toContain('"about":"board meeting"');
  });

  it('replace the frame of a language and keep its topics', () => {
    cpSync(join(FOLDER, 'de/frame.yaml'), write('en/frame.yaml', ''));
    loadAllAssets(root);
    expect(getTextLibrary('en').frame).toEqual(getTextLibrary('de').frame);
    expect(getTextLibrary('en').topics).toHaveLength(TOPICS.length);
  });
});

describe('invalid files of the operator', () => {
  it.each([
    [
      'en/ours.yaml',
      { topics: [{ ...topic('lunch'), opening: [] }] },
      '/topics/0/opening: must NOT have fewer than 1 items',
    ],
    [
      'en/ours.yaml',
      { topics: [topic('lunch', 'For {customer}')] },
      '/topics/0/subjects/0: does not have the form: [a|b] stands for a or b',
    ],
    [
      'en/ours.yaml',
      { topics: [topic('lunch', 'A [b|c')] },
      '/topics/0/subjects/0: does not have the form: [a|b] stands for a or b',
    ],
    ['en/ours.yaml', { topics: [topic('lunch'), topic('lunch')] }, '/topics/1/name: "lunch" comes twice'],
    ['de/frame.yaml', { details: {} }, "must have required property 'frame'"],
  ])('prevent the start, with file, path and reason: %s', (path, content, reason) => {
    const file = write(path, stringify(content));
    expect(() => loadAllAssets(root)).toThrow(reason);
    expect(() => loadAllAssets(root)).toThrow(file);
  });

  it('prevent the start when a language is incomplete', () => {
    writeSwedish();
    for (const file of ['topics-daily.yaml', 'topics-work.yaml']) rmSync(join(root, 'warmup/texts/sv', file));
    expect(() => loadAllAssets(root)).toThrow('sv: a language needs at least one file of topics');
    rmSync(join(root, 'warmup/texts/sv/frame.yaml'));
    expect(() => loadAllAssets(root)).toThrow('sv/frame.yaml: ENOENT');
  });

  it('prevent the start when a folder is not named after a language', () => {
    write('swedish/ours.yaml', stringify({ topics: [topic('lunch')] }));
    expect(() => loadAllAssets(root)).toThrow('swedish: the name is not a language code');
  });
});
