import { EventRecord, type EventType } from '@domain/events';
import { refused, SendingFixture } from '../testing';

describe('events of emails', () => {
  let engine: SendingFixture;

  beforeAll(async () => {
    engine = await SendingFixture.open();
  });
  afterAll(() => engine.close());
  beforeEach(() => engine.fresh());

  /** Hands one email to Ada over to the server, which gives these replies; returns the event. */
  async function findEvent(type: EventType, ...answers: ReturnType<typeof refused>[]) {
    const mailboxId = await engine.mailbox();
    await engine.campaign([mailboxId], ['ada@acme.test']);
    engine.server.answers.push(...answers);
    await engine.run(mailboxId);
    const [send] = await engine.sends('ada@acme.test');
    const { workspaceId } = engine;
    const event = await engine.model<EventRecord>(EventRecord).findOne({ workspaceId, type }).orFail().lean();
    const { _id, stepId, variantId, messageId } = send!;
    const ids = { sendId: _id.toHexString(), stepId: stepId.toHexString(), variantId: variantId.toHexString() };
    return { data: event.data, ofEmail: { ...ids, messageId, email: 'ada@acme.test', subject: 'Hello', step: 0 } };
  }

  it('an accepted email is recorded with its identity and its sender', async () => {
    const { data, ofEmail } = await findEvent('email.sent');
    const from = expect.stringMatching(/@senders\.test$/) as unknown;
    expect(data).toEqual({ ...ofEmail, from, firstOfLead: true, unconfirmed: false });
  });

  it('a refusal of a non-existent address is recorded with the rendered subject and the server’s reply and codes', async () => {
    const { data, ofEmail } = await findEvent(
      'email.bounced',
      refused('permanent', 'recipient', '550 5.1.1 no such user'),
    );
    expect(data).toEqual({
      ...ofEmail,
      verdict: 'hard',
      reason: '550 5.1.1 no such user',
      code: '550',
      enhancedCode: '5.1.1',
      rule: null,
      inSession: true,
      softLimit: false,
    });
  });

  it('a refusal of the content is recorded with the same fields', async () => {
    const reason = '552 5.3.4 message too large';
    const { data, ofEmail } = await findEvent('email.failed', refused('permanent', 'handover', reason));
    expect(data).toEqual({ ...ofEmail, reason, code: '552', enhancedCode: '5.3.4' });
  });

  it('a long reply of a server is recorded with its first thousand characters', async () => {
    const { data } = await findEvent(
      'email.bounced',
      refused('permanent', 'recipient', `550 5.1.1 ${'x'.repeat(5_000)}`),
    );
    expect(String(data['reason'])).toHaveLength(1_000);
  });
});
