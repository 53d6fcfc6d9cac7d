import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { conflict } from '@platform/errors';
import { InboxRepliesService } from '../replies/inbox-replies.service';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { InboxFixture } from '../testing/inbox-fixture';
import { type Written } from '../testing/inbox-records';
import { mail } from '../testing/mails';
import { CONVERSATION_HOOKS, type ConversationMove } from './conversation-hooks';
import { ConversationUpdateService } from './conversation-update.service';

const ADA = 'ada@acme.test';

describe('a conversation hook', () => {
  let inbox: InboxFixture;
  let moves: ConversationMove[];
  /** The reaction of the hook to a change. */
  let answer: (move: ConversationMove) => void;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
    addListener(inbox.get(HookRegistry), CONVERSATION_HOOKS, {
      conversationChanged: (_conversation, move) => {
        moves.push(move);
        answer(move);
        return Promise.resolve();
      },
    });
  });
  afterAll(() => inbox.close());
  beforeEach(async () => {
    moves = [];
    answer = () => undefined;
    await inbox.fresh();
  });

  const says = ({ send }: Written, text: string, headers = '') =>
    inbox.arrives(mail({ from: `Ada <${ADA}>`, inReplyTo: send.messageId, text, headers }));
  const idOf = async () => (await inbox.conversations())[0]!._id.toHexString();
  const answered = async () => {
    await says(await inbox.written(ADA), 'Sounds good, I am interested.');
    moves = [];
    return idOf();
  };

  it('is notified of each received message', async () => {
    const written = await inbox.written(ADA);
    await says(written, 'Sounds good, I am interested.');
    await says(written, 'I am out of office.', 'Auto-Submitted: auto-replied\n');
    expect(moves).toEqual([
      { kind: 'received', message: 'reply' },
      { kind: 'received', message: 'auto_reply' },
    ]);
    expect(await inbox.conversations()).toMatchObject([{ label: 'positive' }]);
  });

  it('is notified of a label that a user sets, and not of read marks', async () => {
    const id = await answered();
    await inbox.get(ConversationUpdateService).update(inbox.workspace, id, { unread: false });
    expect(moves).toEqual([]);
    await inbox.get(ConversationUpdateService).update(inbox.workspace, id, { label: null });
    expect(moves).toEqual([{ kind: 'labelled' }]);
  });

  it('can refuse a user’s reply, which is then not stored', async () => {
    const id = await answered();
    answer = ({ kind }) => {
      if (kind === 'written') throw conflict('Not now');
    };
    const reply = () => inbox.get(InboxRepliesService).create(inbox.workspace, id, { text: 'Gladly' });
    await expect(reply()).rejects.toMatchObject({ code: 'CONFLICT', message: 'Not now' });
    const { workspaceId } = inbox;
    expect(await inbox.model<InboxReplyRecord>(InboxReplyRecord).countDocuments({ workspaceId })).toBe(0);
    expect(await inbox.conversations()).toMatchObject([{ replyCount: 0 }]);
    answer = () => undefined;
    await reply();
    expect(await inbox.conversations()).toMatchObject([{ replyCount: 1 }]);
  });

  it('that fails rolls back the intake of the message', async () => {
    const written = await inbox.written(ADA);
    answer = () => {
      throw new Error('killed');
    };
    await says(written, 'Sounds good, I am interested.').catch(() => undefined);
    expect(await inbox.conversations()).toEqual([]);
    expect(await inbox.lead(written)).toMatchObject({ status: 'active' });
  });
});
