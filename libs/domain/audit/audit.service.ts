import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { invalidField } from '@platform/errors';
import { contextFields } from '@platform/observability';
import { type Model } from 'mongoose';
import { type AuditAction, type AuditTarget } from './audit-actions';
import { type AuditChanges, redactChanges } from './audit-changes';
import { type AuditEntryResponse, type AuditQuery, toAuditEntry } from './dto/audit.dto';
import { AuditRecord } from './schemas/audit.record';

export interface AuditedAct {
  action: AuditAction;
  target: AuditTarget;
  /** From `getChanges`; never contains a secret. */
  changes?: AuditChanges | null;
}

/** The audit log of a workspace: written with the change itself, read by its admins, never changed. */
@Injectable()
export class AuditService {
  constructor(
    @InjectModel(AuditRecord.name) private readonly entries: Model<AuditRecord>,
    private readonly pages: PageService,
  ) {}

  /**
   * Records an action of the actor. Call it in the transaction of the action: then neither exists without the other.
   */
  async record(workspace: WorkspaceScope, { action, target, changes = null }: AuditedAct): Promise<void> {
    await this.entries.create({
      workspaceId: workspace.workspaceId,
      actor: workspace.actor,
      action,
      target,
      changes: changes && redactChanges(changes),
      requestId: contextFields().requestId ?? null,
    });
  }

  /**
   * The workspace's audit log, newest first.
   * @throws VALIDATION_ERROR when `to` is not later than `from`
   */
  async list(workspace: WorkspaceScope, query: AuditQuery): Promise<Page<AuditEntryResponse>> {
    const { limit, cursor } = query;
    const filter = { workspaceId: workspace.workspaceId, ...toFilter(query) };
    return this.pages.read(
      this.entries,
      { scope: workspace.workspaceId, filter, without: ['workspaceId'], page: { limit, cursor } },
      toAuditEntry,
    );
  }
}

function toFilter({ action, userId, targetType, targetId, from, to }: AuditQuery): Record<string, unknown> {
  const since = from === undefined ? undefined : new Date(from);
  const until = to === undefined ? undefined : new Date(to);
  if (since && until && since >= until) throw invalidField('to', 'to must be later than from');
  return {
    ...(action === undefined ? {} : { action }),
    ...(userId === undefined ? {} : { 'actor.userId': userId }),
    ...(targetType === undefined ? {} : { 'target.type': targetType }),
    ...(targetId === undefined ? {} : { 'target.id': targetId }),
    ...(since || until ? { createdAt: { ...(since && { $gte: since }), ...(until && { $lt: until }) } } : {}),
  };
}
