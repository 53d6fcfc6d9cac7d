import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { DomainHealthRecord } from '../schemas/domain-health.record';
import { DomainExaminationService, type ExaminationOptions } from './domain-examination.service';
import { HealthOutcomesService } from './health-outcomes.service';
import { MailboxHealthQueue } from './mailbox-health.queue';

/** After this a check that was claimed and has not come to its end is made again: longer than any takes. */
const CLAIMED_MS = 5 * 60_000;
/** What was found within this time is answered to whoever asks for a check: DNS is other people's. */
const FRESH_MS = 10_000;
/** How often somebody who waits for a check tries to get it: somebody else may store a result in between. */
const ATTEMPTS = 3;

/** Makes checks of domains, one of each at a time, and stores what they come to. */
@Injectable()
export class HealthExaminationsService {
  /** Those that somebody waits for, by the id of the record. */
  readonly #running = new Map<string, Promise<DomainHealthRecord | null>>();

  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly examiner: DomainExaminationService,
    private readonly outcomes: HealthOutcomesService,
    private readonly queue: MailboxHealthQueue,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Checks a domain that is due, unless another worker does; what a check before has found and not told is told instead. What DNS
   * servers have said lately is not asked again.
   */
  async examineDue(health: DomainHealthRecord, signal: AbortSignal): Promise<void> {
    if (health.untold) return this.queue.plan([await this.outcomes.notify(health)]);
    const { _id, workspaceId, nextCheckAt } = health;
    const claimed = await this.#claim({ _id, workspaceId, nextCheckAt });
    if (claimed) await this.#examine(claimed, { fresh: false, signal });
  }

  /**
   * Checks a domain now, past all caches. One that was checked in the last ten seconds is not checked again; whoever asks while
   * it is being checked waits for that.
   * @param anew also within the ten seconds: something that the check depends on has changed
   * @returns how the domain stands now; null when it is gone
   */
  async examineNow(health: DomainHealthRecord, { anew }: { anew: boolean }): Promise<DomainHealthRecord | null> {
    const isFresh = health.checkedAt !== null && health.checkedAt > this.clock.in(-FRESH_MS);
    if (isFresh && !anew) return health;
    const id = health._id.toHexString();
    const running = this.#running.get(id);
    if (running && !anew) return running;
    const wanted = this.#check(health).finally(() => {
      if (this.#running.get(id) === wanted) this.#running.delete(id);
    });
    this.#running.set(id, wanted);
    return wanted;
  }

  /** Takes the check over from a worker that is at it: that one has asked before, and stores nothing then. */
  async #check({ _id, workspaceId }: DomainHealthRecord): Promise<DomainHealthRecord | null> {
    const current = () => this.healths.findOne({ _id, workspaceId }).lean<DomainHealthRecord>();
    let claimed: DomainHealthRecord | null = null;
    for (let attempt = 0; attempt < ATTEMPTS && !claimed; attempt++) {
      const health = await current();
      if (!health) return null;
      await this.outcomes.notify(health);
      claimed = await this.#claim({ _id, workspaceId });
    }
    return claimed ? this.#examine(claimed, { fresh: true }) : current();
  }

  /** @returns what it found, also when somebody else has taken the check over: theirs is stored then */
  async #examine(claimed: DomainHealthRecord, options: ExaminationOptions): Promise<DomainHealthRecord> {
    const report = await this.examiner.examine(claimed, options);
    const { health, isStored } = await this.outcomes.apply(claimed, report);
    if (isStored) await this.queue.plan([health]);
    return health;
  }

  /** null for somebody else's, and while a result waits to be told: the next one must not overtake it. */
  async #claim(
    where: Pick<DomainHealthRecord, '_id' | 'workspaceId'> & Partial<DomainHealthRecord>,
  ): Promise<DomainHealthRecord | null> {
    const claim = { $set: { nextCheckAt: this.clock.in(CLAIMED_MS) } };
    return this.healths
      .findOneAndUpdate({ ...where, untold: null }, claim, { returnDocument: 'after' })
      .lean<DomainHealthRecord>();
  }
}
