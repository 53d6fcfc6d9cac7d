import { newMessageId, outgoing } from './mail-samples';
import { type MailTraits, type MailTestEnvironment, type SendFate } from './mail-test-environment';
import { type SendHandle, type SendOutcome } from '../port/send';

const yes = () => Promise.resolve(true);

export function describeSending(open: () => MailTestEnvironment, traits: MailTraits): void {
  const sendTo = async (fate: SendFate) => {
    const environment = open();
    const to = environment.recipient(fate);
    const message = outgoing(environment.address, to);
    const handles: SendHandle[] = [];
    const outcome = await environment.session.send(message, {
      beforeHandover: async (handle) => handles.push(handle) > 0,
    });
    return { to, message, outcome, handles, accepted: await environment.acceptedFor(to) };
  };

  describe('sending', () => {
    it('submits a message once and returns the server’s reply', async () => {
      const { outcome, message, accepted, handles } = await sendTo('accepted');
      expect(outcome).toMatchObject({ kind: 'accepted', lastReply: { response: expect.any(String) } });
      expect(accepted).toEqual([message.messageId]);
      expect(handles).toHaveLength(1);
    });

    it('calls the ready check before the handover, and submits nothing when it refuses', async () => {
      const environment = open();
      const to = environment.recipient('accepted');
      const outcome = await environment.session.send(outgoing(environment.address, to), {
        beforeHandover: () => Promise.resolve(false),
      });
      expect(outcome).toEqual({ kind: 'withheld' });
      expect(await environment.acceptedFor(to)).toEqual([]);
    });

    it('submits nothing when the ready check fails, and fails with the same error', async () => {
      const environment = open();
      const to = environment.recipient('accepted');
      const broken = new Error('the marker could not be written');
      const sending = environment.session.send(outgoing(environment.address, to), {
        beforeHandover: () => Promise.reject(broken),
      });
      await expect(sending).rejects.toBe(broken);
      expect(await environment.acceptedFor(to)).toEqual([]);
    });

    it('submits nothing when it is aborted before the handover', async () => {
      const environment = open();
      const to = environment.recipient('accepted');
      const sending = environment.session.send(outgoing(environment.address, to), {
        beforeHandover: yes,
        signal: AbortSignal.abort(),
      });
      expect(await sending).toEqual({ kind: 'withheld' });
      expect(await environment.acceptedFor(to)).toEqual([]);
    });

    it('submits nothing and returns a temporary outcome when the deadline has passed', async () => {
      const environment = open();
      const to = environment.recipient('accepted');
      const deadline = AbortSignal.abort(new DOMException('time is up', 'TimeoutError'));
      const outcome = await environment.session.send(outgoing(environment.address, to), {
        beforeHandover: yes,
        deadline,
      });
      expect(outcome.kind).toBe('temporary');
      expect(await environment.acceptedFor(to)).toEqual([]);
    });

    it('stays usable after a withheld message', async () => {
      const environment = open();
      const held = outgoing(environment.address, environment.recipient('accepted'));
      await environment.session.send(held, { beforeHandover: () => Promise.resolve(false) });
      const { outcome, accepted } = await sendTo('accepted');
      expect(outcome.kind).toBe('accepted');
      expect(accepted).toHaveLength(1);
    });

    it('reports a temporary refusal', async () => {
      const { outcome, accepted } = await sendTo('temporary');
      expect(outcome).toMatchObject({ kind: 'temporary', lastReply: { response: expect.any(String) } });
      expect(accepted).toEqual([]);
    });

    it('reports a permanent refusal', async () => {
      const { outcome, accepted } = await sendTo('permanent');
      expect(outcome).toMatchObject({ kind: 'permanent', lastReply: { response: expect.any(String) } });
      expect(accepted).toEqual([]);
    });

    it('returns a temporary outcome when the connection was lost before the acceptance', async () => {
      const { outcome, accepted } = await sendTo('lost-before');
      expect(outcome.kind).toBe('temporary');
      expect(accepted).toEqual([]);
    });

    it('returns an ambiguous outcome when the response to a complete message was lost, and finds the message', async () => {
      const { outcome, accepted, message, handles } = await sendTo('lost-after');
      expect(outcome.kind).toBe('ambiguous');
      expect(accepted).toEqual([message.messageId]);
      expect(handles).toHaveLength(1);
    });

    it('reports that a person is needed for refused credentials, with the server’s reply', async () => {
      const environment = open();
      const refused = environment.refusedSession();
      const to = environment.recipient('accepted');
      const outcome = await refused.send(outgoing(environment.address, to), { beforeHandover: yes });
      expect(outcome).toMatchObject({ kind: 'needs-human', lastReply: { response: expect.stringMatching(/\S/) } });
      expect(await environment.acceptedFor(to)).toEqual([]);
      await refused.close();
    });

    it('sends many messages concurrently, each once', async () => {
      const environment = open();
      const messages = Array.from({ length: 12 }, () =>
        outgoing(environment.address, environment.recipient('accepted')),
      );
      const outcomes = await Promise.all(
        messages.map((message) => environment.session.send(message, { beforeHandover: yes })),
      );
      expect(outcomes.map(({ kind }: SendOutcome) => kind)).toEqual(messages.map(() => 'accepted'));
      for (const { envelope, messageId } of messages) {
        expect(await environment.acceptedFor(envelope.to)).toEqual([messageId]);
      }
    });

    it('sends again after the connections broke', async () => {
      await sendTo('accepted');
      await open().breakConnections();
      const { outcome, accepted } = await sendTo('accepted');
      expect(outcome.kind).toBe('accepted');
      expect(accepted).toHaveLength(1);
    });
  });

  describe('resolving an ambiguous send', () => {
    it('does not find a message that was never sent', async () => {
      const found = await open().session.findSent(newMessageId(), { draftId: null });
      expect(found).toEqual({ state: 'unknown' });
    });

    if (traits.provesNotSent) {
      it('finds a message whose response was lost', async () => {
        const { message, handles } = await sendTo('lost-after');
        const found = await open().session.findSent(message.messageId, handles[0] as SendHandle);
        expect(found.state).toBe('sent');
      });
    }
  });

  describe('verifying', () => {
    it('finds both halves in order', async () => {
      expect(await open().session.verify()).toEqual({ outgoing: { ok: true }, incoming: { ok: true } });
    });

    it('reports the refusal with the server’s reply', async () => {
      const refused = open().refusedSession();
      const check = await refused.verify();
      const expected = { ok: false, failure: 'needs-human', lastReply: { response: expect.stringMatching(/\S/) } };
      expect(check).toMatchObject({ outgoing: expected, incoming: expected });
      await refused.close();
    });
  });
}
