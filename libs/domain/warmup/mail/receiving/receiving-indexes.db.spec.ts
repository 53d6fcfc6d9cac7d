import { type Query, Types } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { ReceivingFixture } from './testing/receiving-fixture';

const [workspaceId, mailboxId] = [new Types.ObjectId(), new Types.ObjectId()];
const EVER = { $gt: new Date(0) };

describe('the queries of mail intake for warmups', () => {
  let warmup: ReceivingFixture;

  beforeAll(async () => {
    warmup = await ReceivingFixture.open();
  });
  afterAll(() => warmup.close());

  const anywhere = (filter: object) =>
    warmup.inbox.model(WarmupMailRecord).find(filter).setOptions({ allWorkspaces: 'a test' });

  const questions: [string, () => Query<unknown, unknown>, string][] = [
    [
      'mails by Message-ID',
      () => anywhere({ messageId: { $in: ['<a@x.test>', '<b@x.test>'], $gt: '' }, direction: 'sent' }),
      'messageId_1_direction_1',
    ],
    ['an existing Message-ID', () => anywhere({ messageId: '<a@x.test>' }), 'messageId_1_direction_1'],
    [
      'mails found before',
      () => anywhere({ threadId: { $in: [new Types.ObjectId()] }, direction: 'received', workspaceId }),
      'threadId_1_position_1_direction_1',
    ],
    ['mails to open', () => anywhere({ opensAt: EVER }).sort({ opensAt: 1, _id: 1 }).limit(10), 'opensAt_1__id_1'],
    [
      'mails of a period that were not found',
      () => anywhere({ workspaceId, mailboxId, at: EVER, state: 'sent', receivedAt: null }).sort({ at: -1, _id: -1 }),
      'workspaceId_1_mailboxId_1_at_-1__id_-1',
    ],
    [
      'the answers planned for a day',
      () => anywhere({ workspaceId, mailboxId, state: 'planned', position: { $gt: 0 }, dueAt: EVER }),
      'workspaceId_1_mailboxId_1_dueAt_1__id_1',
    ],
  ];

  it.each(questions)('find %s by an index', async (_what, question, index) => {
    expect(JSON.stringify(await question().explain())).toContain(`"indexName":"${index}"`);
  });
});
