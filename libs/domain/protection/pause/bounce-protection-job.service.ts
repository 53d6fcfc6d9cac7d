import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDatabaseUnavailable } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { getBounceEvidence } from '../rate/bounce-rate';
import { BounceTallyRecord } from '../schemas/bounce-tally.record';
import { ProtectedSubjectRecord, type StopEvidence } from '../schemas/protected-subject.record';
import { getWindowStart } from '../tally/bounce-tally';
import { BounceProtectionService } from './bounce-protection.service';

const WORKER = 'the worker protects the senders of all workspaces';

/** Evaluates all due subjects and stops those whose bounce rate is too high. */
@Injectable()
export class BounceProtectionJobService {
  constructor(
    @InjectModel(ProtectedSubjectRecord.name) private readonly subjects: Model<ProtectedSubjectRecord>,
    @InjectModel(BounceTallyRecord.name) private readonly tallies: Model<BounceTallyRecord>,
    private readonly protection: BounceProtectionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Returns when all due subjects are evaluated. A failed one stays due and does not block the others. */
  async run(signal?: AbortSignal): Promise<void> {
    const due = this.subjects
      .find({ due: true })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ _id: 1 })
      .lean<ProtectedSubjectRecord[]>()
      .cursor();
    for await (const subject of due as AsyncIterable<ProtectedSubjectRecord>) {
      signal?.throwIfAborted();
      try {
        await this.#check(subject);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        const { kind, key } = subject;
        this.log.error('The bounce rate of a sender could not be evaluated; it will be retried', error, {
          kind,
          key,
        });
      }
    }
  }

  async #check(subject: ProtectedSubjectRecord): Promise<void> {
    const { _id, workspaceId, marks, stoppedAt, pending } = subject;
    const known = pending ? subject.evidence : null;
    const evidence = stoppedAt ? known : await this.#getEvidence(subject);
    if (evidence) await this.#stop(subject, evidence);
    await this.subjects.updateOne({ _id, workspaceId, marks }, { $set: { due: false, pending: false } });
  }

  #stop(subject: ProtectedSubjectRecord, evidence: StopEvidence): Promise<void> {
    return subject.kind === 'campaign'
      ? this.protection.stopCampaign(subject, evidence)
      : this.protection.stopSender(subject, evidence);
  }

  async #getEvidence({ workspaceId, subject, since }: ProtectedSubjectRecord): Promise<StopEvidence | null> {
    const to = this.clock.now();
    const from = getWindowStart(to);
    const [count] = await this.tallies.aggregate<{ sends: number; bounces: number }>([
      { $match: { workspaceId, subject, since, day: { $gte: from } } },
      { $group: { _id: null, sends: { $sum: '$sends' }, bounces: { $sum: '$bounces' } } },
    ]);
    const evidence = count && getBounceEvidence(count);
    return evidence ? { ...evidence, from: since && since > from ? since : from, to } : null;
  }
}
