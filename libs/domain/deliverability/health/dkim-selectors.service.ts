import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { SentSignatureRegistry } from '@domain/mailboxes';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { normalizeHostName } from '../host-name';
import { getSelector } from '../dkim/selectors';
import { DomainHealthRecord } from '../schemas/domain-health.record';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Learned selectors that are kept for a domain: whoever rotates keys has two or three in use. */
const MAX_LEARNED = 5;
/** How exactly it is kept when a selector was last seen. */
const REFRESH_AFTER_MS = 24 * 3_600_000;

/** Which selectors the emails of a domain are signed with. */
@Injectable()
export class DkimSelectorsService implements OnModuleInit {
  constructor(
    @InjectModel(DomainHealthRecord.name) private readonly healths: Model<DomainHealthRecord>,
    private readonly signatures: SentSignatureRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  onModuleInit(): void {
    this.signatures.register((workspace, domain, selector) => this.learn(workspace, domain, selector));
  }

  /** A new one is checked at once. What is no selector, and a domain that nobody looks after, is passed over. */
  async learn({ workspaceId }: Workspace, domain: string, selector: string): Promise<void> {
    const name = getSelector(selector);
    if (name === null) return;
    const now = this.clock.now();
    const where = { workspaceId, domain: normalizeHostName(domain) };
    const seen = { selector: name, seenAt: now };
    const { matchedCount } = await this.healths.updateOne(
      { ...where, 'learnedSelectors.selector': { $ne: name } },
      {
        $push: { learnedSelectors: { $each: [seen], $position: 0, $slice: MAX_LEARNED } },
        $min: { nextCheckAt: now },
      },
    );
    if (matchedCount === 0) return this.#refresh(where, seen);
    // A result of which mailboxes are being told brings along when the next check is.
    await this.healths.updateOne({ ...where, untold: { $ne: null } }, { $min: { 'untold.nextCheckAt': now } });
  }

  /**
   * Keeps the selector that a person has named for the domain; null forgets it. The domain is due then: if whoever is to check it
   * now dies, the next sweep does.
   * @returns whether it is another one than before
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

  /** The latest goes first: that is the one in use. */
  async #refresh(where: Workspace & { domain: string }, seen: { selector: string; seenAt: Date }): Promise<void> {
    const known = await this.healths.findOne(where, { learnedSelectors: 1 }).lean<DomainHealthRecord>();
    const selectors = known?.learnedSelectors ?? [];
    const isLatest = selectors[0]?.selector === seen.selector;
    const at = selectors.find(({ selector }) => selector === seen.selector)?.seenAt;
    if (!known || !at || (isLatest && seen.seenAt.getTime() - at.getTime() < REFRESH_AFTER_MS)) return;
    const others = selectors.filter(({ selector }) => selector !== seen.selector);
    await this.healths.updateOne(
      { ...where, learnedSelectors: selectors },
      { $set: { learnedSelectors: [seen, ...others] } },
    );
  }
}
