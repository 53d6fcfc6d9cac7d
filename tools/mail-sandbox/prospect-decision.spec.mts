import {
  chance,
  decide,
  delayBefore,
  isProspect,
  mayAnswer,
  MIX,
  type Act,
  type Incoming,
} from './prospect-decision.mts';

const DOMAINS = ['prospects.test'];
const incoming = (prospect: string, more: Partial<Incoming> = {}): Incoming => ({
  prospect,
  sender: 'me@sender.test',
  from: 'me@sender.test',
  answeredBefore: false,
  ...more,
});
const acts = (local: string, more?: Partial<Incoming>): Act[] =>
  decide('seed', incoming(`${local}@prospects.test`, more), DOMAINS);

describe('prospects', () => {
  it.each([
    ['a@prospects.test', true],
    ['a@Sales.Prospects.test', true],
    ['a@notprospects.test', false],
    ['a@prospects.test.evil.test', false],
    ['me@sender.test', false],
  ])('%s: %s', (address, yes) => {
    expect(isProspect(address, DOMAINS)).toBe(yes);
    expect(decide('seed', incoming(address), DOMAINS).length > 0 && !yes).toBe(false);
  });
});

describe('the actions of a prospect', () => {
  it.each<[string, Act[]]>([
    ['silent.x', []],
    ['open.x', [{ kind: 'open' }]],
    ['click+x', [{ kind: 'open' }, { kind: 'click' }]],
    ['scanner', [{ kind: 'scan' }]],
    ['one-click.a', [{ kind: 'open' }, { kind: 'one-click' }]],
    ['complain.a', [{ kind: 'complaint' }]],
    [
      'reply-positive-outlook-other.a',
      [{ kind: 'open' }, { kind: 'reply', sentiment: 'positive', style: 'outlook', other: true }],
    ],
    [
      'reply-unsubscribe-apple',
      [{ kind: 'open' }, { kind: 'reply', sentiment: 'unsubscribe', style: 'apple', other: false }],
    ],
    ['ooo-de.a', [{ kind: 'out-of-office', language: 'de', bare: false }]],
    ['ooo-fr-bare.a', [{ kind: 'out-of-office', language: 'fr', bare: true }]],
    ['bounce-qmail.a', [{ kind: 'bounce', format: 'qmail', reason: 'unknown' }]],
    ['bounce-exchange-full.a', [{ kind: 'bounce', format: 'exchange', reason: 'full' }]],
    ['delayed-exim.a', [{ kind: 'delayed', format: 'exim' }]],
  ])('named %s', (local, expected) => {
    expect(acts(local)).toEqual(expected);
  });

  it('are random for an ordinary address, and stable for the same seed', () => {
    const addresses = Array.from({ length: 2000 }, (_, n) => `person${n}`);
    const run = (seed: string): string[] =>
      addresses.map((one) => JSON.stringify(decide(seed, incoming(`${one}@prospects.test`), DOMAINS)));
    expect(run('a')).toEqual(run('a'));
    expect(run('a')).not.toEqual(run('b'));
    const silent = run('a').filter((one) => one === '[]').length;
    expect(silent).toBeGreaterThan(2000 * 0.38);
    expect(silent).toBeLessThan(2000 * 0.5);
    for (const kind of [
      'open',
      'click',
      'reply',
      'out-of-office',
      'one-click',
      'bounce',
      'scan',
      'complaint',
      'delayed',
    ])
      expect(run('a').some((one) => one.includes(`"kind":"${kind}"`))).toBe(true);
  });

  it('contain only known names in the mix', () => {
    for (const [, name] of MIX) expect(acts(`${name}.x`).length > 0 || name === 'silent').toBe(true);
  });

  it('are random for a misspelt name, without a partial match', () => {
    const at = chance('seed', 'reply-positve.a@prospects.test', 'mix');
    expect(at).toBeGreaterThanOrEqual(0);
    expect(at).toBeLessThan(1);
    expect(acts('ooo-xx.q')).toEqual(acts('ooo-xx.q'));
    expect(acts('ooo-xx.q')).not.toEqual([{ kind: 'out-of-office', language: 'xx', bare: false }]);
  });
});

describe('loop protection', () => {
  it.each<[string, Partial<Incoming>]>([
    ['a bounce', { sender: '' }],
    ['a mail system', { sender: 'MAILER-DAEMON@sender.test' }],
    ['an auto-reply', { autoSubmitted: 'auto-replied' }],
    ['a bulk mail', { precedence: 'Bulk' }],
    ['an old vacation program', { autoReplyHeader: true }],
    ['another prospect', { sender: 'b@sub.prospects.test' }],
    ['another prospect by its From', { from: 'b@prospects.test' }],
  ])('does not answer %s', (_what, more) => {
    expect(mayAnswer(incoming('reply-positive@prospects.test', more), DOMAINS)).toBe(false);
    expect(acts('reply-positive.a', more)).toEqual([]);
  });

  it('treats "Auto-Submitted: no" as a person', () => {
    expect(acts('ooo-en', { autoSubmitted: 'no' })).toHaveLength(1);
  });

  it('answers a sender once, and opens later mail', () => {
    expect(acts('reply-neutral.a', { answeredBefore: true })).toEqual([{ kind: 'open' }]);
    expect(acts('ooo-en.a', { answeredBefore: true })).toEqual([]);
    expect(acts('bounce-exim.a', { answeredBefore: true })).toHaveLength(1);
  });
});

describe('delays', () => {
  it('lie between a tenth and the maximum, are stable for a seed, and are 0 for no delay', () => {
    for (let index = 0; index < 50; index++) {
      const ms = delayBefore('s', 'a@prospects.test', index, 1000);
      expect(ms).toBeGreaterThanOrEqual(100);
      expect(ms).toBeLessThanOrEqual(1000);
      expect(delayBefore('s', 'a@prospects.test', index, 1000)).toBe(ms);
    }
    expect(delayBefore('s', 'a@prospects.test', 0, 0)).toBe(0);
  });
});
