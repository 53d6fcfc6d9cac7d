import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { SENT_MAIL_HOOKS, type SentMailHooks } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { Listens } from '@platform/hooks';
import { type Model } from 'mongoose';
import { normalizeHostName } from '../host-name';
import { getSelector } from '../dkim/selectors';
import { DomainHealthRecord } from '../schemas/domain-health.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Learned selectors per domain: key rotation uses two or three. */
const MAX_LEARNED = 5;
/** Precision of the last use of a selector. */
const REFRESH_AFTER_MS = 24 * 3_600_000;

/** DKIM selectors of a domain: learned from signed mail, or configured. */
@Injectable()
@Listens(SENT_MAIL_HOOKS)
export class DkimSelectorsService implements SentMailHooks {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Learns a selector; a new one makes the domain due. Ignores invalid selectors and unknown domains. */
  async signed({ workspaceId }: Workspace, domain: string, selector: string): Promise<void> {
    const name = getSelector(selector);
    if (name === null) return;
    const now = this.clock.now();
    const where = { workspaceId, domain: normalizeHostName(domain) };
    const learned = { selector: name, seenAt: now };
    const { matchedCount } = await this.healths.updateOne(
      { ...where, 'learnedSelectors.selector': { $ne: name } },
      {
        $push: { learnedSelectors: { $each: [learned], $position: 0, $slice: MAX_LEARNED } },
        $min: { nextCheckAt: now },
      },
    );
    if (matchedCount === 0) return this.#refresh(where, learned);
    // A result that is not yet written to all mailboxes carries the next check time.
    await this.healths.updateOne(
      { ...where, pendingEvents: { $ne: null } },
      { $min: { 'pendingEvents.nextCheckAt': now } },
    );
  }

  /**
   * Stores the configured selector of a domain; null removes it. Makes the domain due, so that a sweep repeats an interrupted
   * check.
   * @returns whether it has changed
   */
  async setSelector(
    workspace: WorkspaceScope,
    mailboxId: string,
    { _id, workspaceId }: DomainHealthRecord,
    selector: string | null,
  ): Promise<boolean> {
    const to = selector === null ? null : getSelector(selector);
    return this.transactions.run(async () => {
      const before = await this.healths
        .findOneAndUpdate(
          { _id, workspaceId, dkimSelector: { $ne: to } },
          { $set: { dkimSelector: to }, $min: { nextCheckAt: this.clock.now() } },
          { returnDocument: 'before' },
        )
        .lean<DomainHealthRecord>();
      if (!before) return false;
      await this.audit.record(workspace, {
        action: 'mailbox.updated',
        target: { type: 'mailbox', id: mailboxId },
        changes: { dkimSelector: { from: before.dkimSelector, to } },
      });
      return true;
    });
  }

  /** Moves the latest selector, which is in use, to the front. */
  async #refresh(where: Workspace & { domain: string }, learned: { selector: string; seenAt: Date }): Promise<void> {
    const known = await this.healths.findOne(where, { learnedSelectors: 1 }).lean<DomainHealthRecord>();
    const selectors = known?.learnedSelectors ?? [];
    const isLatest = selectors[0]?.selector === learned.selector;
    const at = selectors.find(({ selector }) => selector === learned.selector)?.seenAt;
    if (!known || !at || (isLatest && learned.seenAt.getTime() - at.getTime() < REFRESH_AFTER_MS)) return;
    const others = selectors.filter(({ selector }) => selector !== learned.selector);
    await this.healths.updateOne(
      { ...where, learnedSelectors: selectors },
      { $set: { learnedSelectors: [learned, ...others] } },
    );
  }
}
