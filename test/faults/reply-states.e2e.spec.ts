import { randomBytes } from 'node:crypto';
import { type InboxReplyRecord } from '@domain/inbox';
import { FaultProxy } from '@testing';
import { Types } from 'mongoose';
import {
  acceptedFrom,
  type Platform,
  type SeededWorkspace,
  startPlatform,
  startTestWorker,
  violations,
} from '../harness';
import { getDatabase, settleSending } from '../harness/sending';
import { connected, type Mailbox } from '../mailboxes/sandbox';
import { dataOf } from '../workspaces/people';
import { bsonField } from './bson-field';
import { PlatformProcess } from './processes';

interface Reply {
  _id: string;
  conversationId: string;
  messageId: string;
  status: string;
  attempts: number;
}

const SENDING = bsonField<InboxReplyRecord>({ state: 'sending' });
const COMMIT = 'commitTransaction';

/**
 * The message to MongoDB at which the worker is killed, whether it was carried out, and whether the reply may then be
 * sent.
 */
const STATES: readonly [name: string, text: string, options: { nth?: number; carriedOut?: boolean }, given: boolean][] =
  [
    ['before it is claimed', COMMIT, {}, false],
    ['when it is claimed', COMMIT, { carriedOut: true }, false],
    ['before it is marked as sending', SENDING, {}, false],
    ['when it is marked, before the handover', SENDING, { carriedOut: true }, true],
    ['when the server has accepted it, before the outcome is written', COMMIT, { nth: 2 }, true],
    ['when the outcome is written', COMMIT, { nth: 2, carriedOut: true }, true],
  ];

describe('kill -9 of the worker at each state of a reply', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let mailbox: Mailbox;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
    mailbox = await connected(platform, workspace, { sendGapSeconds: 0, dailySendLimit: 100 });
  });
  afterEach(() => platform.clock.reset());
  afterAll(() => platform.close());

  /** Stores a message of a person to the mailbox. */
  async function conversation(): Promise<string> {
    const database = getDatabase(platform);
    const of = { workspaceId: new Types.ObjectId(workspace.workspaceId), mailboxId: new Types.ObjectId(mailbox._id) };
    const _id = new Types.ObjectId();
    const email = `fine.${randomBytes(4).toString('hex')}@people.test`;
    const at = platform.clock.now();
    const shown = { email, subject: 'A question', tracked: false, threadIds: [], attachmentCount: 0, messageCount: 1 };
    const latest = { lastMessageAt: at, lastDirection: 'received', createdAt: at, updatedAt: at };
    await database.collection('conversations').insertOne({ _id, ...of, ...shown, ...latest, threadKey: `<${email}>` });
    const said = { direction: 'received', kind: 'reply', at, messageId: `<${email}>`, subject: 'A question' };
    const from = { name: 'Ada', address: email };
    await database
      .collection('conversation_messages')
      .insertOne({ ...of, ...said, conversationId: _id, from, references: [] });
    return _id.toHexString();
  }

  const api = () => platform.api.as(workspace.key);
  const answer = async (conversationId: string) =>
    dataOf<Reply>(await api().post(`/v1/inbox/${conversationId}/reply`).send({ text: 'Gladly' }).expect(202));
  const read = async ({ _id, conversationId }: Reply) =>
    dataOf<Reply>(await api().get(`/v1/inbox/${conversationId}/replies/${_id}`));
  const accepted = async ({ messageId }: Reply) =>
    (await acceptedFrom(new Set([mailbox.email]))).filter((mail) => mail.messageId === messageId).length;

  it.each(STATES)(
    '%s: it is sent once, and uncertain only if the server may have it',
    async (_at, text, options, mayBeGiven) => {
      const conversationId = await conversation();
      const database = new FaultProxy(platform.config.mongodbUri);
      const env = { MONGODB_URI: await database.start(), WORKER_QUEUES: 'mailbox-send' };
      const doomed = await PlatformProcess.of('worker', platform.config, env);
      await doomed.start();
      const reached = database.at(text, 'silence', options);
      const reply = await answer(conversationId);
      await reached;
      await doomed.end('SIGKILL');
      await database.cut();
      expect(await violations(platform, workspace.workspaceId)).toEqual([]);

      const worker = await startTestWorker(platform);
      const settled = await settleSending(platform, worker, workspace.workspaceId);
      await worker.close();
      expect(await violations(platform, workspace.workspaceId, { settled: true })).toEqual([]);
      expect(settled).toBe(true);
      const { status, attempts } = await read(reply);
      expect(['sent', ...(mayBeGiven ? ['sent_unconfirmed'] : [])]).toContain(status);
      expect(attempts).toBe(1);
      if (status === 'sent') expect(await accepted(reply)).toBe(1);
      const said = getDatabase(platform).collection('conversation_messages');
      expect(await said.countDocuments({ replyId: new Types.ObjectId(reply._id) })).toBe(1);
    },
  );
});
