import { describeOutboundMailSource, type MailState } from '../../../sending/testing';
import { type WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupEngine, type WarmMailbox } from '../testing/warmup-engine';

/** A Monday. */
const MORNING = new Date('2026-11-23T06:00:00.000Z');
const CONFIG = { startingVolume: 1, dailyIncrease: 1, targetVolume: 5 };

describeOutboundMailSource(
  'a warmup mail',
  async () => {
    const engine = await WarmupEngine.open();
    await engine.reset(MORNING);
    const sender = await engine.mailboxes.create(CONFIG);
    const others: WarmMailbox[] = [];
    while (others.length < 3) others.push(await engine.mailboxes.create(CONFIG));
    await engine.runs.planMorningOf(sender);
    const planned = await engine.snapshots.take();
    let mail: WarmupMailRecord;
    const now = async () => (await engine.records.sent({ _id: mail._id }))[0]!;
    return {
      engine: engine.sending,
      begin: async () => {
        await engine.snapshots.restore(planned);
        engine.sending.server.reset();
        mail = (await engine.records.sentFrom(sender))[0]!;
        engine.sending.clock.freeze(mail.dueAt!);
        return sender.id;
      },
      run: async () => {
        // Only this mail: what the sender has postponed is due again.
        const { workspaceId, state, dueAt } = await now();
        const isDue = state === 'planned' && dueAt && dueAt > engine.sending.clock.now();
        if (isDue) engine.sending.clock.freeze(dueAt);
        await engine.records.mails.deleteMany({
          workspaceId,
          mailboxId: mail.mailboxId,
          _id: { $ne: mail._id },
          state: 'planned',
        });
        await engine.runs.send(sender);
      },
      state: async () => {
        const { state, dueAt } = await now();
        if (state === 'planned') return 'due';
        return state === 'ambiguous' && dueAt ? 'sending' : (state as MailState);
      },
      close: () => engine.close(),
    };
  },
  { isLeased: true, isRepeated: true },
);
