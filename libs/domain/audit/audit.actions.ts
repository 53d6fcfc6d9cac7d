/** What the audit log can say. Closed: a domain that has something new to say adds it here. */
export const AUDIT_ACTIONS = [
  'workspace.created',
  'workspace.updated',
  'workspace.deleted',
  'workspace.restored',
  'workspace.limits_changed',
  'workspace.tracking_host_changed',
  'workspace.ownership_transferred',
  'member.invited',
  'member.role_changed',
  'member.removed',
  'invitation.revoked',
  'invitation.accepted',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'api_key.rate_limit_changed',
  'credits.granted',
  'mailbox.reauthorised',
  'mailbox.created',
  'mailbox.updated',
  'mailbox.paused',
  'mailbox.resumed',
  'mailbox.deleted',
  'campaign.created',
  'campaign.updated',
  'campaign.sequence_published',
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'campaign.archived',
  'campaign.deleted',
  'leads.import_started',
  'leads.import_cancelled',
  'suppressions.added',
  'suppression.removed',
  'leads.added',
  'leads.paused',
  'leads.resumed',
  'leads.removed',
  'lead.updated',
  'conversation.updated',
  'reply.created',
  'reply.cancelled',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret_rotated',
  'webhook.redelivered',
  'webhook.replayed',
  'privacy.exported',
  'privacy.erased',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What an action can be done to. */
export const AUDIT_TARGETS = [
  'workspace',
  'member',
  'invitation',
  'api_key',
  'credit_entry',
  'mailbox',
  'campaign',
  'suppression',
  'lead',
  'conversation',
  'reply',
  'webhook',
] as const;
export type AuditTargetType = (typeof AUDIT_TARGETS)[number];

/** The record that was acted on. A member is named by the id of the user. */
export interface AuditTarget {
  type: AuditTargetType;
  id: string;
}
