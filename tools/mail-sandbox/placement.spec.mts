import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placementBy, policyInName, type Placement, type PlacementPolicy } from './placement.mts';
import { PlacementPolicies } from './placement-policies.mts';

const MESSAGES = 4_000;

function shares(place: (messageId: string) => Placement): Record<Placement, number> {
  const counted = { inbox: 0, promotions: 0, spam: 0 };
  for (let n = 0; n < MESSAGES; n++) counted[place(`<${n}@x.test>`)] += 1 / MESSAGES;
  return counted;
}

describe('placement by a policy', () => {
  it.each<[PlacementPolicy]>([
    [{ spam: 0.3, promotions: 0.2 }],
    [{ spam: 0.05, promotions: 0 }],
    [{ spam: 0, promotions: 0.6 }],
    [{ spam: 0.5, promotions: 0.5 }],
  ])('%j has its shares, within 2 %% over many messages', (policy) => {
    const found = shares((messageId) => placementBy(policy, 'seed', { to: 'a@x.test', messageId }));
    expect(Math.abs(found.spam - policy.spam)).toBeLessThan(0.02);
    expect(Math.abs(found.promotions - policy.promotions)).toBeLessThan(0.02);
  });

  it.each<[PlacementPolicy, Placement]>([
    [{ spam: 1, promotions: 0 }, 'spam'],
    [{ spam: 0, promotions: 1 }, 'promotions'],
    [{ spam: 0, promotions: 0 }, 'inbox'],
  ])('%j places every message in %s', (policy, placement) => {
    expect(shares((messageId) => placementBy(policy, 'seed', { to: 'a@x.test', messageId }))[placement]).toBeCloseTo(1);
  });

  it('is stable for a repeated message and differs by mailbox and by seed', () => {
    const half = { spam: 0.5, promotions: 0 };
    const run = (seed: string, to: string): string =>
      Array.from({ length: 64 }, (_, n) => placementBy(half, seed, { to, messageId: `<${n}>` })[0]).join('');
    expect(run('one', 'a@x.test')).toBe(run('one', 'A@X.test'));
    expect(run('one', 'a@x.test')).not.toBe(run('one', 'b@x.test'));
    expect(run('one', 'a@x.test')).not.toBe(run('two', 'a@x.test'));
  });
});

describe('a policy in a mailbox name', () => {
  it.each<[string, PlacementPolicy]>([
    ['spam-all@x.test', { spam: 1, promotions: 0 }],
    ['promotions-all.ann@x.test', { spam: 0, promotions: 1 }],
    ['Spam-30+7@x.test', { spam: 0.3, promotions: 0 }],
    ['spam-30-promotions-20.ann@x.test', { spam: 0.3, promotions: 0.2 }],
  ])('%s', (address, policy) => {
    expect(policyInName(address)).toEqual(policy);
  });

  it.each([
    'ann@x.test',
    'spam@x.test',
    'spam-alley@x.test',
    'no-spam-10@x.test',
    'spam-100@x.test',
    'spam-90-promotions-20@x.test',
    'spam-all-promotions-1@x.test',
    'ann.spam-all@x.test',
  ])('is absent in %s', (address) => {
    expect(policyInName(address)).toBeUndefined();
  });
});

describe('stored policies', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'placement-'));
    file = join(folder, 'placement.json');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const SPAM = { spam: 1, promotions: 0 };
  const PROMOTIONS = { spam: 0, promotions: 1 };
  const INBOX = { spam: 0, promotions: 0 };
  const place = (policies: PlacementPolicies, to: string, from = 'me@y.test'): Placement =>
    policies.place({ to, from, messageId: '<1>' });

  it('of the mailbox precede that of the sender, and that precedes the mailbox name', () => {
    const policies = new PlacementPolicies(file, 'seed');
    expect(place(policies, 'ann@x.test')).toBe('inbox');
    expect(place(policies, 'spam-all@x.test')).toBe('spam');
    policies.set('senders', 'Me@y.test', PROMOTIONS);
    expect(place(policies, 'spam-all@x.test')).toBe('promotions');
    expect(place(policies, 'spam-all@x.test', 'other@y.test')).toBe('spam');
    policies.set('mailboxes', 'Spam-All@x.test', INBOX);
    expect(place(policies, 'spam-all@x.test')).toBe('inbox');
    expect(policies.remove('mailboxes', 'spam-all@X.test')).toBe(true);
    expect(policies.remove('mailboxes', 'spam-all@x.test')).toBe(false);
    expect(place(policies, 'spam-all@x.test')).toBe('promotions');
  });

  it('are kept across a restart', () => {
    const policies = new PlacementPolicies(file, 'seed');
    policies.set('mailboxes', 'ann@x.test', SPAM);
    policies.set('senders', 'me@y.test', PROMOTIONS);
    policies.set('senders', 'gone@y.test', SPAM);
    policies.remove('senders', 'gone@y.test');
    const next = new PlacementPolicies(file, 'seed');
    expect(next.get('mailboxes', 'ann@x.test')).toEqual(SPAM);
    expect(next.get('senders', 'me@y.test')).toEqual(PROMOTIONS);
    expect(next.get('senders', 'gone@y.test')).toBeUndefined();
  });

  it('are empty when their file cannot be read', async () => {
    await writeFile(file, '{"mailboxes": {"ann@x.te');
    const policies = new PlacementPolicies(file, 'seed');
    expect(place(policies, 'ann@x.test')).toBe('inbox');
    policies.set('mailboxes', 'ann@x.test', SPAM);
    expect(place(new PlacementPolicies(file, 'seed'), 'ann@x.test')).toBe('spam');
  });
});
