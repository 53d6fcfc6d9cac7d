import { inspect } from 'node:util';
import { type ChatPort, type ChatTarget } from '../port/chat.port';
import { ChatError, type ChatReason } from '../port/chat.errors';
import { type ChatMessage } from '../port/chat-message';

/** A chat and its scripted server. */
export interface ChatTestEnvironment {
  readonly chat: ChatPort;
  readonly token: string;
  readonly channelId: string;
  readonly webhookUrl: string;
  /** Names of all channels in order of the list. */
  readonly channelNames: readonly string[];
  /** A user consents. @returns the authorization code */
  consent(): string;
  /** The next call fails with the reason. */
  fails(reason: Exclude<ChatReason, 'unreachable' | 'unconfirmed'>, retryAfterMs?: number): void;
  /** The next message is posted, but its response is lost. */
  loses(): void;
  /** The next call gets no answer. */
  staysSilent(): void;
  archive(channelId: string): void;
  /** Texts of the posted messages in order. */
  said(): readonly string[];
  close(): Promise<void>;
}

const FAILURES: readonly (readonly [Exclude<ChatReason, 'unreachable' | 'unconfirmed'>, string])[] = [
  ['rate_limited', 'temporary'],
  ['unavailable', 'temporary'],
  ['authorisation', 'needs-human'],
  ['channel', 'needs-human'],
  ['refused', 'permanent'],
];

function createMessage(text: string): ChatMessage {
  return { summary: text, parts: [{ kind: 'paragraph', runs: [text] }] };
}

/** The conformance suite of all chat drivers. */
export function describeChat(name: string, open: () => Promise<ChatTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: ChatTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    const targets = (): ChatTarget[] => [
      { kind: 'bot', token: environment.token, channelId: environment.channelId },
      { kind: 'webhook', url: environment.webhookUrl },
    ];
    const target = (kind: ChatTarget['kind']) => targets().find((one) => one.kind === kind)!;
    const failure = (call: Promise<unknown>) =>
      call.then(
        () => null,
        (error: unknown) => error,
      );

    describe.each(['bot', 'webhook'] as const)('to a %s', (kind) => {
      it('posts messages in order', async () => {
        await environment.chat.post(target(kind), createMessage('Zoë “Ada” 你好 \u{1f600}'));
        await environment.chat.post(target(kind), createMessage('second'));
        expect(environment.said()).toEqual(['Zoë “Ada” 你好 \u{1f600}', 'second']);
      });

      it.each(FAILURES)('reports %s, which is %s, and posts nothing', async (reason, meaning) => {
        environment.fails(reason);
        const error = await failure(environment.chat.post(target(kind), createMessage('once')));
        expect(error).toBeInstanceOf(ChatError);
        expect(error).toMatchObject({ reason, failure: meaning, type: { failure: meaning } });
        expect(environment.said()).toEqual([]);
        await environment.chat.post(target(kind), createMessage('again'));
        expect(environment.said()).toEqual(['again']);
      });

      it('reports an unknown outcome when a posted message gets no response', async () => {
        environment.loses();
        expect(await failure(environment.chat.post(target(kind), createMessage('once')))).toMatchObject({
          reason: 'unconfirmed',
          failure: 'ambiguous',
        });
        expect(environment.said()).toEqual(['once']);
      });

      it('reports when a retry is allowed', async () => {
        environment.fails('rate_limited', 7_000);
        expect(await failure(environment.chat.post(target(kind), createMessage('x')))).toMatchObject({
          retryAfterMs: 7_000,
        });
        environment.fails('unavailable');
        expect(await failure(environment.chat.post(target(kind), createMessage('x')))).toMatchObject({
          retryAfterMs: null,
        });
      });

      it('ends with the reason of the signal, immediately when the signal is already aborted', async () => {
        environment.staysSilent();
        const patience = new AbortController();
        const posting = failure(environment.chat.post(target(kind), createMessage('x'), patience.signal));
        const reason = new Error('enough');
        patience.abort(reason);
        expect(await posting).toBe(reason);
        expect(await failure(environment.chat.post(target(kind), createMessage('x'), patience.signal))).toBe(reason);
      });
    });

    it('refuses an archived channel, and does not list it', async () => {
      environment.archive(environment.channelId);
      expect(await failure(environment.chat.post(target('bot'), createMessage('x')))).toMatchObject({
        reason: 'channel',
      });
      expect((await environment.chat.channel(environment.token, environment.channelId)).isArchived).toBe(true);
      expect((await names()).length).toBe(environment.channelNames.length - 1);
    });

    it('lists every channel once, page by page', async () => {
      expect(await names()).toEqual(environment.channelNames);
    });

    it('finds a channel by its id, and no other', async () => {
      expect(await environment.chat.channel(environment.token, environment.channelId)).toMatchObject({
        id: environment.channelId,
      });
      expect(await failure(environment.chat.channel(environment.token, 'C0NOBODY'))).toMatchObject({
        reason: 'channel',
      });
    });

    it('returns the team of a token until the token is revoked; a second revocation is harmless', async () => {
      const team = await environment.chat.team(environment.token);
      expect(team.name).not.toBe('');
      await environment.chat.revoke(environment.token);
      await environment.chat.revoke(environment.token);
      for (const call of [
        environment.chat.team(environment.token),
        environment.chat.post(target('bot'), createMessage('x')),
      ]) {
        expect(await failure(call)).toMatchObject({ reason: 'authorisation', failure: 'needs-human' });
      }
    });

    it('never has an unknown outcome for calls that post nothing', async () => {
      environment.loses();
      expect(await failure(environment.chat.team(environment.token))).not.toMatchObject({ failure: 'needs-human' });
    });

    it('checks a webhook without posting', async () => {
      await environment.chat.checkWebhook(environment.webhookUrl);
      expect(await failure(environment.chat.checkWebhook(`${environment.webhookUrl}0`))).toMatchObject({
        reason: 'authorisation',
      });
      expect(environment.said()).toEqual([]);
    });

    it.each([
      'https://example.com/services/T0/B0/x',
      'ftp://hooks.slack.com/x',
      'nonsense',
      'https://u:p@hooks.slack.com/x',
    ])('refuses a webhook of another host: %s', async (url) => {
      expect(environment.chat.isWebhook(url)).toBe(false);
      expect(await failure(environment.chat.post({ kind: 'webhook', url }, createMessage('x')))).toMatchObject({
        reason: 'authorisation',
      });
    });

    it('exchanges the code of a consent for the requested grant, and refuses any other code', async () => {
      const redirectUri = 'https://outreach.example/oauth/chat/slack/callback';
      expect(await environment.chat.consentUrl({ state: 'a state', redirectUri })).toContain('state=a+state');
      const grant = await environment.chat.exchange({ code: environment.consent(), redirectUri });
      expect(grant.scopes).toEqual(expect.arrayContaining([...environment.chat.scopes]));
      expect(grant.expires).toBe(false);
      expect(await environment.chat.team(grant.token)).toEqual(grant.team);
      expect(await failure(environment.chat.exchange({ code: 'guessed', redirectUri }))).toMatchObject({
        reason: 'authorisation',
      });
    });

    it('keeps tokens, webhook URLs and texts out of errors', async () => {
      for (const [reason] of FAILURES) {
        for (const to of targets()) {
          environment.fails(reason);
          const error = await failure(environment.chat.post(to, createMessage('canary of a stranger')));
          const text = inspect(error, { depth: 10 }) + JSON.stringify(error);
          for (const secret of ['canary', environment.webhookUrl]) expect(text).not.toContain(secret);
        }
      }
    });

    async function names(): Promise<string[]> {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<ChatPort['channels']>> = await environment.chat.channels(
          environment.token,
          cursor,
        );
        found.push(...page.channels.map((one) => one.name));
        cursor = page.nextCursor;
      } while (cursor !== null);
      return found;
    }
  });
}
