import fc from 'fast-check';
import { eventually, rounds } from '@testing';
import { type SendOutcome } from '../port/send';
import { closeAll, messageTo, ONE_BY_ONE, PIPELINED, sender, sendThrough, server } from './testing/smtp-harness';

afterEach(closeAll);

describe('a lost connection', () => {
  it.each([
    ['CONNECT', 'greeting'],
    ['EHLO', 'greeting'],
    ['AUTH', 'login'],
    ['MAIL', 'sender'],
    ['RCPT', 'recipient'],
    ['DATA', 'data'],
  ] as const)('that drops or hangs at %s is temporary at the stage %s, without a ready check', async (cue, stage) => {
    for (const next of ['drop', 'reset', 'hang'] as const) {
      const limits = next === 'hang' ? { commandMs: 60, greetingMs: 60 } : {};
      const { outcome, asked, smtp } = await sendThrough(
        { capabilities: ONE_BY_ONE, on: { [cue]: { next } } },
        { plain: true, limits },
      );
      expect(outcome).toMatchObject({ kind: 'temporary', stage, lastReply: null });
      expect(asked).toBe(0);
      expect(smtp.messages).toEqual([]);
    }
  });

  it('after the dot without a reply is ambiguous', async () => {
    for (const next of ['drop', 'reset', 'hang'] as const) {
      const limits = next === 'hang' ? { answerMs: 60 } : {};
      const { outcome, smtp } = await sendThrough({ on: { MESSAGE: { next } } }, { limits });
      expect(outcome).toMatchObject({ kind: 'ambiguous', failure: 'ambiguous', stage: 'handover', lastReply: null });
      expect(smtp.messages).toHaveLength(1);
      expect(smtp.seen).toHaveLength(1);
    }
  });

  it.each(['250-2.0.0 queued', '2', '354 go on', 'OK', '250 queued\n550 or not'])(
    'after the dot with the invalid reply %j is ambiguous',
    async (raw) => {
      const { outcome, smtp } = await sendThrough({
        on: { MESSAGE: { raw: `${raw.replace('\n', '\r\n')}\r\n`, next: 'drop' } },
      });
      expect(outcome).toMatchObject({ kind: raw.startsWith('250 queued') ? 'accepted' : 'ambiguous' });
      expect(smtp.messages).toHaveLength(1);
    },
  );

  it('in the middle of the message is temporary, and no dot is sent', async () => {
    const { outcome, smtp, asked } = await sendThrough(
      { inMessage: { after: 100_000, act: { next: 'reset' } } },
      {},
      8_000_000,
    );
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'handover' });
    expect(asked).toBe(1);
    expect(smtp.messages).toEqual([]);
  });

  it('is temporary when the server stops reading in the middle', async () => {
    const { outcome } = await sendThrough(
      { on: { DATA: { say: '354 go on', next: 'stall' } } },
      { plain: true, limits: { dataMs: 80 } },
      19_000_000,
    );
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'handover' });
  });

  it.each(['552 5.3.4 too big', '451 4.3.0 not now', '250 2.0.0 taken', '999 what'])(
    'stops sending when the reply %j arrives before the end of the message',
    async (early) => {
      const { outcome, smtp } = await sendThrough({ on: { DATA: { say: `354 go on\n${early}` } } }, { plain: true });
      expect(outcome.kind).toBe(early.startsWith('552') ? 'permanent' : 'temporary');
      expect(smtp.messages).toEqual([]);
    },
  );

  it.each([
    ['552 5.3.4 too big', 'permanent'],
    ['451 4.3.0 not now', 'temporary'],
    ['250 2.0.0 taken', 'temporary'],
  ])('stops sending when %j arrives in the middle, so that the server never receives the dot', async (say, kind) => {
    const script = { capabilities: PIPELINED, inMessage: { after: 100_000, act: { say } } };
    const { outcome, smtp } = await sendThrough(script, { plain: true }, 8_000_000);
    expect(outcome).toMatchObject({ kind, stage: 'handover' });
    await eventually('the connection is closed', () => smtp.open === 0);
    expect(smtp.messages).toEqual([]);
  });

  it('does not start sending when a reply arrives during the ready check', async () => {
    const smtp = await server({ capabilities: PIPELINED });
    const outcome = await sender(smtp, { plain: true }).send(messageTo('bob@example.com'), {
      beforeHandover: async () => {
        smtp.shout('250 2.0.0 taken');
        await eventually('the connection is closed', () => smtp.open === 0);
        return true;
      },
    });
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'handover' });
    expect(smtp.messages).toEqual([]);
  });

  it('sends no message to a server that replies to DATA with anything but 354', async () => {
    const { outcome, asked, smtp } = await sendThrough({ on: { DATA: { say: '250 2.0.0 taken' } } });
    expect(outcome).toMatchObject({ kind: 'temporary', stage: 'data', lastReply: { response: '250 2.0.0 taken' } });
    expect(asked).toBe(0);
    expect(smtp.messages).toEqual([]);
  });

  it('never returns a temporary outcome for a message that the server has, wherever the connection breaks', async () => {
    const kinds = new Set<SendOutcome['kind']>();
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          cutAfter: fc.oneof(fc.nat(400), fc.nat(3_000)),
          size: fc.constantFrom(1, 200, 2_500),
          pipelined: fc.boolean(),
          drip: fc.constantFrom(true, ...Array.from({ length: 9 }, () => false)),
        }),
        async ({ cutAfter, size, pipelined, drip }) => {
          const script = { cutAfter, drip, capabilities: pipelined ? PIPELINED : ONE_BY_ONE };
          const { smtp, outcome, asked } = await sendThrough(script, { plain: true }, size);
          kinds.add(outcome.kind);
          if (outcome.kind === 'temporary') expect(smtp.messages).toEqual([]);
          if (outcome.kind === 'ambiguous') expect(asked).toBe(1);
          if (outcome.kind === 'accepted') expect(smtp.messages).toHaveLength(1);
          expect(smtp.messages.length).toBeLessThanOrEqual(1);
          await closeAll();
        },
      ),
      { numRuns: rounds(300) },
    );
    expect([...kinds].sort()).toEqual(['accepted', 'ambiguous', 'temporary']);
  });

  it('never returns a temporary outcome for a large message over TLS that the server has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(450_000), async (cutAfter) => {
        const { smtp, outcome } = await sendThrough({ cutAfter, secure: true }, {}, 400_000);
        if (outcome.kind === 'temporary') expect(smtp.messages).toEqual([]);
        expect(['temporary', 'ambiguous', 'accepted']).toContain(outcome.kind);
        await closeAll();
      }),
      { numRuns: 25 },
    );
  });
});
