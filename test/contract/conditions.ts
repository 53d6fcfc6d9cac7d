import { seededMailbox } from '../mailboxes/sandbox';
import { UNKNOWN_ID } from '../workspaces/people';
import { type Endpoint } from './contract';
import { type RequestPlan, type ContractFixture, type Subject } from './contract-fixture';

type Condition = (fixture: ContractFixture, subject: Subject) => Promise<RequestPlan> | RequestPlan;

const JOB_LIFETIME_MS = 7 * 86_400_000;

/** For each condition of contract.json: the request that replaces the usual one. */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  'the id is unknown': (_fixture, { ids = {}, body }) => {
    const [first = ''] = Object.keys(ids);
    return { ids: { ...ids, [first]: UNKNOWN_ID }, ...(body && { body }) };
  },
  "it is another workspace than the key's": async ({ platform }, subject) => {
    const { key } = await platform.seed.workspace();
    return { ...subject, key };
  },
  'there are fewer than 10 credits': async ({ platform }, subject) => {
    const { key } = await platform.seed.workspace({ credits: 9 });
    return { ...subject, key };
  },
  'neither leadIds nor selectAll is given': (_fixture, subject) => ({ ...subject, body: { action: 'pause' } }),
  'attachmentIndex is -1': (_fixture, { ids }) => ({ ids: { ...ids, attachmentIndex: '-1' } }),
  'attachmentIndex is no integer': (_fixture, { ids }) => ({ ids: { ...ids, attachmentIndex: '0.5' } }),
  'attachmentIndex is beyond the last': (_fixture, { ids }) => ({ ids: { ...ids, attachmentIndex: '1' } }),
  'the mailbox is an SMTP/IMAP one': async (fixture, subject) => {
    const { _id: mailboxId } = await seededMailbox(fixture.platform, fixture.workspace.workspaceId);
    const of = { conversationId: subject.ids?.['conversationId'] };
    await fixture.put('ConversationMessageRecord', of, { mailboxId });
    await fixture.put('ConversationRecord', { _id: of.conversationId }, { mailboxId });
    return subject;
  },
  'the job is older than 7 days': (fixture, subject) => {
    fixture.platform.clock.advance(JOB_LIFETIME_MS);
    return subject;
  },
};

/** Sends a request under the condition and restores the clock. */
export async function askUnder(when: string, fixture: ContractFixture, endpoint: Endpoint, subject: Subject) {
  const condition = CONDITIONS[when];
  if (!condition) throw new Error(`There is no condition called ${when}`);
  try {
    return await fixture.ask(endpoint, await condition(fixture, subject));
  } finally {
    fixture.platform.clock.reset();
  }
}
