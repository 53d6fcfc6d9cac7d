import { type WorkspaceScope } from '@domain/access';
import { MailboxRepository, type MailboxHooks, MAILBOX_HOOKS, findSendingObstacle } from '@domain/mailboxes';
import {
  type SuppressedValues,
  type SuppressionHooks,
  SUPPRESSION_HOOKS,
  SuppressionsService,
} from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Listens } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import { InboxReplyRecord } from '../schemas/inbox-reply.record';
import { toReplyFields } from './reply-outcome';
import { IN_FLIGHT, OPEN, WAITING } from './reply-states';

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

const DELETED = 'The mailbox was deleted';
const SUPPRESSED = 'The address is on the suppression list';
/** Wait before the resolution of a reply whose mailbox was deleted during its handover. */
const RESOLVE_AFTER_MS = 10 * 60_000;

/**
 * Withholds replies before a suppression of their address, a pause or the deletion of their mailbox is acknowledged. A worker
 * that has claimed one notices at `markSending`.
 */
@Injectable()
@Listens(MAILBOX_HOOKS)
@Listens(SUPPRESSION_HOOKS)
export class ReplyWithholdingListener implements SuppressionHooks, MailboxHooks {
  constructor(
    @InjectModel(InboxReplyRecord.name) private readonly replies: Model<InboxReplyRecord>,
    private readonly suppressions: SuppressionsService,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  async suppressed({ workspaceId }: WorkspaceScope, _values: SuppressedValues): Promise<void> {
    const open = await this.replies
      .find({ workspaceId, state: { $in: OPEN } }, { email: 1, state: 1 })
      .lean<Pick<InboxReplyRecord, '_id' | 'email' | 'state'>[]>();
    const listed = await this.suppressions.matching(
      workspaceId,
      open.map(({ email }) => email),
    );
    const ids = open.filter(({ email }) => listed.has(email)).map(({ _id }) => _id);
    if (ids.length === 0) return;
    const of = { workspaceId, _id: { $in: ids } };
    // Claimed ones first: a worker that releases one then sees the suppression itself.
    await this.#withhold(of, SUPPRESSED);
    await this.#cancel(of, SUPPRESSED);
  }

  async changed({ workspaceId }: Workspace, mailboxId: string): Promise<void> {
    const mailbox = await this.mailboxes.find(new Types.ObjectId(workspaceId), new Types.ObjectId(mailboxId));
    const obstacle = mailbox && findSendingObstacle(mailbox);
    if (mailbox && !obstacle) return;
    await this.#withhold({ workspaceId, mailboxId }, `The mailbox ${obstacle?.message ?? 'was deleted'}`);
  }

  /** Runs in the transaction of the deletion. */
  async released(workspace: Workspace, mailboxId: string): Promise<void> {
    const of = { workspaceId: workspace.workspaceId, mailboxId };
    await this.#cancel(of, DELETED);
    await this.replies.updateMany(
      { ...of, state: 'sending' },
      {
        $set: toReplyFields('sending', {
          state: 'ambiguous',
          reason: DELETED,
          resolveAt: this.clock.in(RESOLVE_AFTER_MS),
        }),
      },
    );
    await this.replies.updateMany(
      { ...of, state: { $in: IN_FLIGHT.filter((state) => state !== 'sending') } },
      { $set: toReplyFields('claimed', { state: 'cancelled', reason: DELETED }) },
    );
  }

  /** Cancels a reply that was created during the deletion. */
  async eraseMailbox({ workspaceId }: Workspace, mailboxId: string): Promise<void> {
    await this.#cancel({ workspaceId, mailboxId }, DELETED);
  }

  async #withhold(of: { workspaceId: string; [field: string]: unknown }, reason: string): Promise<void> {
    const state = 'claimed';
    await this.replies.updateMany({ ...of, state }, { $set: toReplyFields(state, { state: 'withheld', reason }) });
  }

  async #cancel(of: { workspaceId: string; [field: string]: unknown }, reason: string): Promise<void> {
    const changes = toReplyFields('queued', { state: 'cancelled', reason });
    await this.replies.updateMany({ ...of, state: { $in: WAITING } }, { $set: changes });
  }
}
