import { ChatPort, ChatError } from '@adapters/chat';
import { SecretBoxService } from '@platform/secrets';
import { Types } from 'mongoose';
import { BATCH } from '@domain/oauth';
import { type ChatConnectionRecord } from '../schemas/chat-connection.record';
import { ChatFixture } from '../testing/chat-fixture';
import { chatConnection } from '../testing/chat-records';
import { ChatCheckService } from './chat-check.service';

const DAY_MS = 86_400_000;

describe('the check of chats without a post for a day', () => {
  let fixture: ChatFixture;
  beforeAll(async () => {
    fixture = await ChatFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    await fixture.connections.deleteMany({}).setOptions({ allWorkspaces: 'those of other tests' });
    fixture.slack.calls.length = 0;
  });
  afterEach(() => {
    fixture.slack.outage(null);
    for (const channel of fixture.slack.channels) channel.is_archived = false;
  });

  const check = () => fixture.get(ChatCheckService).checkIdle(new AbortController().signal);
  const byConsent = async (token: string, given: Partial<ChatConnectionRecord> = {}) => {
    const box = fixture.get(SecretBoxService);
    const record = chatConnection(new Types.ObjectId(), (text, owner) => box.seal(text, owner), token);
    await fixture.connections.create({ ...record, checkedAt: fixture.clock.now(), ...given });
    return () => fixture.connections.findOne({ workspaceId: record.workspaceId }).orFail().lean<ChatConnectionRecord>();
  };

  it('checks idle chats once a day without a post, and skips those in use', async () => {
    const idle = await fixture.chat();
    const posts = fixture.slack.posts.length;
    fixture.clock.advance(DAY_MS - 1);
    const used = await fixture.chat({ events: ['email.replied'] });
    fixture.clock.advance(1);
    fixture.slack.calls.length = 0;
    await check();
    await check();
    expect(fixture.slack.calls).toEqual(['webhook']);
    expect(fixture.slack.posts).toHaveLength(posts);
    for (const chat of [idle, used]) expect((await chat.stored()).status).toBe('connected');
  });

  it('disconnects a chat whose webhook was removed, and records one event', async () => {
    const chat = await fixture.chat();
    fixture.slack.revoke(chat.webhookUrl);
    fixture.clock.advance(DAY_MS);
    await check();
    await check();
    expect(await chat.stored()).toMatchObject({ status: 'disconnected', lastError: { code: 'no_service' } });
    expect(await fixture.eventsOf(chat.workspaceId, 'integration.disconnected')).toHaveLength(1);
  });

  it.each([
    ['the token was revoked', {}, (token: string) => fixture.slack.revoke(token), 'invalid_auth'],
    [
      'it was, before a channel was chosen',
      { channel: null },
      (token: string) => fixture.slack.revoke(token),
      'invalid_auth',
    ],
    ['the channel was archived', {}, () => (fixture.slack.channels[0]!.is_archived = true), 'is_archived'],
  ])('disconnects a chat when %s', async (_name, given, end, code) => {
    const token = fixture.slack.token();
    const stored = await byConsent(token, given);
    fixture.clock.advance(DAY_MS);
    await check();
    expect((await stored()).status).toBe('connected');
    end(token);
    fixture.clock.advance(DAY_MS);
    await check();
    expect(await stored()).toMatchObject({ status: 'disconnected', lastError: { code } });
  });

  it('keeps chats unchanged while Slack is unavailable, and checks them again', async () => {
    const chat = await fixture.chat();
    fixture.clock.advance(DAY_MS);
    fixture.slack.outage({ status: 503, word: 'service_unavailable' });
    await check();
    expect((await chat.stored()).status).toBe('connected');
    fixture.slack.outage(null);
    fixture.slack.revoke(chat.webhookUrl);
    await check();
    expect((await chat.stored()).status).toBe('disconnected');
  });

  it('does not wait for a chat that hangs', async () => {
    const [hanging] = [await fixture.chat(), await fixture.chat()];
    fixture.clock.advance(DAY_MS);
    let answered = (): void => undefined;
    const other = new Promise<void>((resolve) => (answered = resolve));
    const asked = jest.spyOn(fixture.get(ChatPort), 'checkWebhook').mockImplementation((url) => {
      if (url === hanging.webhookUrl) return other;
      answered();
      return Promise.resolve();
    });
    const begun = fixture.clock.now().getTime();
    await check();
    asked.mockRestore();
    expect((await hanging.stored()).checkedAt.getTime()).toBeGreaterThanOrEqual(begun);
  });

  it('checks each chat once in a run, for any number of chats', async () => {
    const box = fixture.get(SecretBoxService);
    const records = Array.from({ length: BATCH + 3 }, () =>
      chatConnection(new Types.ObjectId(), (text, owner) => box.seal(text, owner), 'xoxb-of-many'),
    );
    await fixture.connections.insertMany(records.map((one) => ({ ...one, checkedAt: fixture.clock.now() })));
    fixture.clock.advance(DAY_MS);
    const asked = jest
      .spyOn(fixture.get(ChatPort), 'channel')
      .mockRejectedValue(new ChatError('unavailable', 'Slack is away', { vendorCode: 'http_503' }));
    await check();
    expect(asked).toHaveBeenCalledTimes(BATCH + 3);
    asked.mockRestore();
  });
});
