import { rounds } from '@testing';
import fc from 'fast-check';
import { type MailChange, type MessageFlags } from '../port/changes';
import { type FolderRole } from '../port/folder';
import { getGmailFlags, isWatched, getGmailPlace } from './gmail-labels';
import { type GmailFixture, mail, openGmailFixture } from './testing/gmail-fixture';

const WATCHED: readonly FolderRole[] = ['inbox', 'promotions', 'junk'];

/** Actions of users and other programs; `message` selects an existing one. */
const act = fc.record({
  message: fc.nat(5),
  relabel: fc.constantFrom<[string[], string[]]>(
    [[], ['UNREAD']],
    [['UNREAD'], []],
    [['STARRED'], []],
    [['SPAM'], ['INBOX']],
    [['INBOX'], ['SPAM']],
    [['TRASH'], ['INBOX']],
    [['TRASH'], []],
    [['INBOX'], ['TRASH']],
    [[], ['INBOX']],
    [['CATEGORY_PROMOTIONS'], []],
    [['IMPORTANT'], ['CATEGORY_PROMOTIONS']],
  ),
});
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ deliver: fc.constantFrom(['INBOX', 'UNREAD'], ['SPAM'], ['SENT'], ['UNREAD']) }),
  },
  { weight: 6, arbitrary: act },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ sync: fc.integer({ min: 1, max: 4 }), isLost: fc.boolean() }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The simplest store of reported changes. */
class Store {
  readonly known = new Map<string, { role: FolderRole | null; flags: MessageFlags }>();
  readonly told = new Set<string>();
  /** Mail of others received after the first sync. */
  readonly arrived = new Set<string>();
  cursor: string | null = null;

  keep(changes: readonly MailChange[]): void {
    for (const change of changes) {
      const { id } = change.ref;
      const isHere = isWatched(WATCHED, { folder: '', role: change.role });
      const known = this.known.get(id);
      if (change.kind === 'message') {
        this.told.add(id);
        this.known.set(id, { role: change.role, flags: change.flags });
      } else if (change.kind === 'flags' && known) known.flags = change.flags;
      else if (change.kind === 'moved' && known) known.role = change.role;
      if (change.kind === 'gone' || !isHere) this.known.delete(id);
    }
  }
}

async function run(gmail: GmailFixture, steps: readonly Step[]): Promise<Store> {
  const { mailbox } = gmail;
  const store = new Store();
  const sync = async (limit: number, isLost: boolean): Promise<boolean> => {
    const session = isLost ? gmail.reopen() : gmail.session;
    const batch = await session.sync({ cursor: store.cursor, since: new Date(0), limit });
    expect(batch.changes.length).toBeLessThanOrEqual(limit);
    if (isLost) return true; // the process crashed before it stored anything
    store.keep(batch.changes);
    store.cursor = batch.cursor;
    return batch.more;
  };
  const pick = (index: number): string | undefined => [...mailbox.messages.keys()].at(-1 - index);
  await sync(10, false);
  for (const one of steps) {
    if ('deliver' in one) {
      const { id } = mailbox.deliver(mail(), one.deliver);
      if (isWatched(WATCHED, getGmailPlace(one.deliver))) store.arrived.add(id);
    } else if ('sync' in one) await sync(one.sync, one.isLost);
    else {
      const id = pick('remove' in one ? one.remove : one.message);
      if (id === undefined) continue;
      if ('remove' in one) mailbox.remove(id);
      else mailbox.relabel(id, one.relabel[0], one.relabel[1]);
    }
  }
  while (await sync(3, false));
  return store;
}

describe('any changes of a Gmail mailbox between syncs of any size', () => {
  it('a store of reported changes equals the mailbox and has received all mail', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.array(step, { maxLength: 40 }), async (maxPage, steps) => {
        const gmail = await openGmailFixture({ maxPage });
        try {
          const { known, told, arrived } = await run(gmail, steps);
          const all = [...gmail.mailbox.messages.values()];
          const here = all.filter(({ labels }) => isWatched(WATCHED, getGmailPlace([...labels])));
          const expected = here.map(({ id, labels }) => {
            return [id, { role: getGmailPlace([...labels]).role, flags: getGmailFlags([...labels]) }] as const;
          });
          expect(known).toEqual(new Map(expected));
          const missed = all.filter(({ id }) => arrived.has(id) && !told.has(id));
          expect(missed.map(({ id }) => id)).toEqual([]);
        } finally {
          await gmail.close();
        }
      }),
      { numRuns: rounds(150) },
    );
  });
});
