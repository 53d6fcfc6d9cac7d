import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadAllAssets } from '@platform/config';
import { classifyAutoReply } from '../auto-reply/auto-reply';
import { getMail } from '../auto-reply/testing/mail';
import { labelByRules } from '../label/label-by-rules';

const ASSETS = join(__dirname, '..', 'assets');

const LABELS = `language: tr
fragments:
  day: yarin|pazartesi
negation: degil
phrases:
  shield: []
  opt-out:
    - name: off-the-list
      pattern: beni listeden cikar
  refusal:
    - name: not-interested
      pattern: [ilgilenmiyor(?:um|uz), istemiyorum]
  referral: []
  wrong-person: []
  later: []
  interest:
    - name: proposes-time
      pattern: '(?:{{day}}) uygunum'
  weak-interest: []
  question: []
  thanks: []
`;

const REPLIES = `language: tr
phrases:
  automatic: bu otomatik bir yanittir
  away: ofis disindayim
  absence: izindeyim
  arrangement: acil durumlarda
  opener: mesajiniz icin tesekkurler
  received: mesajinizi aldik
  promise: en kisa surede
  left: artik calismiyor
dates:
  months: [ocak, subat, mart, nisan, mayis, haziran, temmuz, agustos, eylul, ekim, kasim, aralik]
  weekdays: [pazartesi, sali, carsamba, persembe, cuma, cumartesi, pazar]
  back: donecegim
  until: kadar
  since: itibaren
  range: ile
  tomorrow: yarin
  nextWeek: gelecek hafta
  inclusive: dahil
`;

let root: string;

function write(path: string, text: string): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'operator-'));
});
afterEach(() => {
  loadAllAssets('');
  rmSync(root, { recursive: true });
});

describe('a language of the operator', () => {
  it('labels replies', () => {
    expect(labelByRules({ text: 'Ilgilenmiyorum.', subject: '' }).rule).toBe('nothing-recognised');
    write('inbox/reply-labels/tr.yaml', LABELS);
    loadAllAssets(root);
    const rule = (text: string) => labelByRules({ text, subject: '' }).rule;
    expect([rule('Ilgilenmiyorum.'), rule('Yarin uygunum'), rule('Degil yarin uygunum')]).toEqual([
      'not-interested.tr',
      'proposes-time.tr',
      'negated-interest.tr',
    ]);
    expect(rule('Not interested')).toBe('not-interested.en');
  });

  it('recognises automatic replies, with the day of return, and absence in a reply', () => {
    const mail = getMail({
      subject: 'Merhaba',
      text: 'Bu otomatik bir yanittir. Ofis disindayim, 24 Aralik donecegim.',
    });
    expect(classifyAutoReply(mail)).toBeNull();
    write('inbox/auto-reply/tr.yaml', REPLIES);
    write('inbox/reply-labels/tr.yaml', LABELS);
    loadAllAssets(root);
    expect(classifyAutoReply(mail)).toEqual({
      rule: 'phrase-automatic',
      kind: 'out_of_office',
      returnsOn: '2026-12-24',
    });
    expect(labelByRules({ text: 'Ofis disindayim', subject: '' }).rule).toBe('away.tr');
  });

  it('replaces the built-in one', () => {
    const ours = readFileSync(join(ASSETS, 'reply-labels', 'en.yaml'), 'utf8');
    write('inbox/reply-labels/en.yaml', ours.replace('name: not-interested', 'name: our-refusal'));
    loadAllAssets(root);
    expect(labelByRules({ text: 'Not interested', subject: '' }).rule).toBe('our-refusal.en');
  });

  it.each([
    [
      'a pattern that is none',
      LABELS.replace('beni listeden cikar', '(beni'),
      /tr\.yaml:9: \/phrases\/opt-out\/0\/pattern: Invalid regular/,
    ],
    [
      'one of several patterns that is none',
      LABELS.replace('istemiyorum]', "'a{2,1}']"),
      /tr\.yaml:12: \/phrases\/refusal\/0\/pattern\/1: Invalid regular/,
    ],
    [
      'a fragment that there is not',
      LABELS.replace('{{day}}', '{{night}}'),
      /tr\.yaml:18: .*pattern: there is no fragment "night"/,
    ],
    ['a key twice', LABELS.replace('negation: degil', 'negation: degil\nnegation: yok'), /tr\.yaml:5: .*unique/],
    ['a meaning that is missing', LABELS.replace('  later: []\n', ''), /tr\.yaml:\d+: \/phrases: .*'later'/],
    [
      'another language',
      LABELS.replace('language: tr', 'language: az'),
      /tr\.yaml:1: \/language: must be the name of the file/,
    ],
  ])('is refused with %s', (_, text, message) => {
    write('inbox/reply-labels/tr.yaml', text);
    expect(() => loadAllAssets(root)).toThrow(message);
  });

  it('is refused with an invalid file name', () => {
    cpSync(join(ASSETS, 'auto-reply', 'headers.yaml'), write('inbox/auto-reply/headers.yaml', ''));
    expect(() => loadAllAssets(root)).toThrow(/headers\.yaml: nothing reads a file of this name/);
  });
});
