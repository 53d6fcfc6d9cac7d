import { Types } from 'mongoose';
import { type ZoneCheck } from '../schemas/blacklist-finding.record';
import { type PlannedMailbox } from '../schemas/blacklist-test.record';
import { nextBlacklistStatus } from './mailbox-blacklist-status';
import { type Finding, getOutcome, getTestSummary } from './test-outcome';

const mailboxOf = (...subjects: string[]): PlannedMailbox => ({
  mailboxId: new Types.ObjectId(),
  email: 'ada@example.com',
  subjects: subjects.map((subject) => ({ subject, kind: 'domain', source: 'domain' })),
  notChecked: [],
});
const listing = (zone: string, weight = 50): ZoneCheck => ({
  zone,
  result: 'listed',
  listing: 'abuse',
  codes: ['127.0.0.2'],
  meaning: 'spam',
  reason: null,
  weight,
  removalUrl: null,
});
const finding = (
  subject: string,
  listings: ZoneCheck[],
  counts: Partial<Finding['counts']> = {},
): [string, Finding] => [
  subject,
  {
    subject,
    kind: 'domain',
    listings,
    counts: { listed: listings.length, clear: 0, unknown: 0, zone_broken: 0, ...counts },
  },
];

describe('the result of a test for a mailbox', () => {
  it.each<[string, [string, Finding][], string, number]>([
    ['nothing was looked up yet', [], 'unknown', 0],
    ['no zone answered', [finding('a.example', [], { unknown: 3, zone_broken: 2 })], 'unknown', 0],
    ['one zone said that it is clear', [finding('a.example', [], { clear: 1, unknown: 9 })], 'clean', 0],
    [
      'one of its subjects is listed',
      [finding('a.example', []), finding('b.example', [listing('x')])],
      'blacklisted',
      50,
    ],
    ['a zone that does not count lists it', [finding('a.example', [listing('x', 0)])], 'clean', 0],
    [
      'one zone lists both subjects',
      [finding('a.example', [listing('x')]), finding('b.example', [listing('x')])],
      'blacklisted',
      50,
    ],
    ['many zones list it', [finding('a.example', [listing('x', 70), listing('y', 60)])], 'blacklisted', 100],
    [
      'a zone that lists it counts for one kind of subject and not for another',
      [finding('a.example', [listing('x', 70)]), finding('b.example', [listing('x', 0)])],
      'blacklisted',
      70,
    ],
    [
      'only another mailbox’s subject is listed',
      [finding('a.example', [], { clear: 1 }), finding('c.example', [listing('x')])],
      'clean',
      0,
    ],
  ])('is decided when %s', (_what, found, verdict, impact) => {
    expect(getOutcome(mailboxOf('a.example', 'b.example'), new Map(found))).toMatchObject({ verdict, impact });
  });

  it('combines the results of zones, and names the worst listing first', () => {
    const found = new Map([
      finding('a.example', [listing('mild', 10)], { clear: 2, unknown: 1 }),
      finding('b.example', [listing('hard', 90)], { clear: 3, zone_broken: 4 }),
    ]);
    const { counts, listings } = getOutcome(mailboxOf('a.example', 'b.example'), found);
    expect(counts).toEqual({ listed: 2, clear: 5, unknown: 1, zone_broken: 4 });
    expect(listings.map(({ zone, subject }) => [zone, subject])).toEqual([
      ['hard', 'b.example'],
      ['mild', 'a.example'],
    ]);
  });

  it('counts mailboxes in the summary, except those with unknown results', () => {
    const verdicts = (['clean', 'clean', 'blacklisted', 'unknown'] as const).map((verdict) => ({ verdict }));
    expect(getTestSummary(verdicts)).toEqual({ totalChecked: 3, clean: 2, blacklisted: 1 });
  });
});

describe('the status of a mailbox after a test', () => {
  const at = (zone: string, subject = 'a.example') => ({ zone, subject, weight: 50 });
  const after = (before: ReturnType<typeof at>[], now: ReturnType<typeof at>[], clear: [string, string[]][] = []) =>
    nextBlacklistStatus(
      before,
      {
        mailbox: mailboxOf('a.example'),
        listings: now.map((one) => ({ ...listing(one.zone, one.weight), subject: one.subject })),
      },
      new Map(clear.map(([subject, zones]) => [subject, new Set(zones)])),
    );

  it('becomes listed when it was not', () => {
    expect(after([], [at('x'), at('y')])).toEqual({ listings: [at('x'), at('y')], becomesListedIn: ['x', 'y'] });
  });

  it('does not become listed again while it is listed, not even in another zone', () => {
    expect(after([at('x')], [at('x'), at('y')]).becomesListedIn).toEqual([]);
  });

  it('stays listed until its zone reports the end of the listing', () => {
    expect(after([at('x')], [])).toEqual({ listings: [at('x')], becomesListedIn: [] });
    expect(after([at('x')], [], [['a.example', ['y']]]).listings).toEqual([at('x')]);
  });

  it('is delisted when its zone reports it, and may become listed again', () => {
    const over = after([at('x')], [], [['a.example', ['x']]]);
    expect(over.listings).toEqual([]);
    expect(after(over.listings, [at('x')]).becomesListedIn).toEqual(['x']);
  });

  it('drops listings of addresses that the mailbox no longer has', () => {
    expect(after([at('x', '5.6.7.8')], []).listings).toEqual([]);
  });

  it('does not become listed by a zone that is not counted', () => {
    expect(after([], [{ ...at('x'), weight: 0 }])).toEqual({ listings: [], becomesListedIn: [] });
  });
});
