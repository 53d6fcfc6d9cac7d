import {
  eraseAuditEntry,
  eraseConversation,
  eraseDelivery,
  eraseEnvelope,
  eraseEvent,
  eraseItem,
  eraseLead,
  eraseMessage,
  eraseReason,
  eraseRefusals,
  eraseSend,
  eraseSyncFaults,
  eraseSyncResult,
  type Erasure,
  type StoredRecord,
} from './erasure-rules';
import { createExactPattern, createMentionPattern, type Subject } from './subject';

/** How one collection may refer to a person. */
export interface PersonalCollection {
  readonly collection: string;
  /** Filter for records that may be about the person; the workspace is added to it. */
  where(subject: Subject): Record<string, unknown>;
  /** Additional condition for erasure: no worker is using the record. An export includes all records. */
  readonly settled?: Readonly<Record<string, unknown>>;
  erase(record: StoredRecord, subject: Subject): Erasure;
}

const remove = (): Erasure => 'delete';
/** Used by a worker: the record is left unchanged and erased by a later run. */
const OPEN_SENDS = ['claimed', 'sending', 'withheld', 'ambiguous'];
const OPEN_REPLIES = [...OPEN_SENDS, 'queued', 'retry'];

/** Mail on its way to the person, which cannot be erased yet. */
export const MAIL_ON_THE_WAY: readonly Pick<PersonalCollection, 'collection' | 'where'>[] = [
  {
    collection: 'sends',
    where: ({ leadIds, address }) => ({
      $or: [{ leadId: { $in: leadIds } }, { email: address }],
      state: { $in: OPEN_SENDS },
    }),
  },
  { collection: 'inbox_replies', where: ({ address }) => ({ email: address, state: { $in: OPEN_REPLIES } }) },
];

/**
 * All collections that may contain an address, in the order of erasure. Records that are found through others come
 * first, so that an interrupted erasure still finds the remaining ones.
 */
export const PERSONAL: readonly PersonalCollection[] = [
  {
    collection: 'inbox_replies',
    where: ({ conversationIds, address }) => ({
      $or: [
        { conversationId: { $in: conversationIds } },
        { email: address },
        { 'to.address': createExactPattern(address) },
      ],
    }),
    settled: { state: { $nin: OPEN_REPLIES } },
    erase: remove,
  },
  {
    collection: 'conversation_messages',
    where: ({ conversationIds, address }) => ({
      $or: [
        { conversationId: { $in: conversationIds } },
        ...['from', 'to', 'cc', 'replyTo'].map((field) => ({ [`${field}.address`]: createExactPattern(address) })),
        ...['subject', 'text', 'fullText', 'html'].map((field) => ({ [field]: createMentionPattern(address) })),
      ],
    }),
    erase: eraseMessage,
  },
  {
    collection: 'conversations',
    where: ({ conversationIds, address }) => ({
      $or: [
        { _id: { $in: conversationIds } },
        ...['preview', 'subject', 'name'].map((field) => ({ [field]: createMentionPattern(address) })),
      ],
    }),
    erase: eraseConversation,
  },
  {
    collection: 'mailbox_messages',
    where: ({ address }) => ({
      $or: [
        { 'from.address': createExactPattern(address) },
        { 'to.address': createExactPattern(address) },
        { subject: createMentionPattern(address) },
        { 'tasks.address': address },
      ],
    }),
    erase: eraseEnvelope,
  },
  // A running agent reply ends, because nothing finds it again. The queued inbox reply is waited for above.
  {
    collection: 'agent_replies',
    where: ({ conversationIds, address }) => ({
      $or: [{ conversationId: { $in: conversationIds } }, { email: address }, { text: createMentionPattern(address) }],
    }),
    erase: remove,
  },
  // The text is composed when the activity is posted to the CRM, so deleting it is enough. Posted activities belong to
  // the CRM.
  { collection: 'crm_activities', where: ({ leadIds }) => ({ leadId: { $in: leadIds } }), erase: remove },
  { collection: 'crm_due_pushes', where: ({ leadIds }) => ({ leadId: { $in: leadIds } }), erase: remove },
  {
    collection: 'agent_texts',
    where: ({ conversationIds, address }) => ({
      $or: [
        { conversationId: { $in: conversationIds } },
        { subject: createMentionPattern(address) },
        { text: createMentionPattern(address) },
        { 'unused.text': createMentionPattern(address) },
      ],
    }),
    erase: remove,
  },
  {
    collection: 'agent_pages',
    where: ({ address }) => ({
      $or: ['url', 'title', 'description', 'text'].map((field) => ({ [field]: createMentionPattern(address) })),
    }),
    erase: remove,
  },
  { collection: 'tracking_hits', where: ({ sendIds }) => ({ sendId: { $in: sendIds } }), erase: remove },
  {
    collection: 'sends',
    where: ({ leadIds, address }) => ({
      $or: [{ leadId: { $in: leadIds } }, { email: address }],
    }),
    settled: { state: { $nin: OPEN_SENDS } },
    erase: eraseSend,
  },
  {
    collection: 'events',
    where: ({ leadIds, address }) => ({
      $or: [
        { leadId: { $in: leadIds } },
        { 'data.email': address },
        { 'data.from': createExactPattern(address) },
        { 'data.text': createMentionPattern(address) },
        { 'data.reason': createMentionPattern(address) },
      ],
    }),
    erase: eraseEvent,
  },
  // Waiting deliveries are not sent either.
  {
    collection: 'webhook_deliveries',
    where: ({ leadIds, address }) => ({
      $or: [
        { leadId: { $in: leadIds } },
        { body: createMentionPattern(address) },
        { 'attempts.response': createMentionPattern(address) },
      ],
    }),
    erase: eraseDelivery,
  },
  {
    collection: 'lead_import_refusals',
    where: ({ address }) => ({
      $or: [{ 'rows.cells': createMentionPattern(address) }, { 'rows.detail': createMentionPattern(address) }],
    }),
    erase: eraseRefusals,
  },
  {
    collection: 'audit_entries',
    where: ({ leadIds, conversationIds, address }) => ({
      $or: [
        { 'target.id': { $in: [...leadIds, ...conversationIds].map((id) => id.toHexString()) } },
        { 'changes.values.to': address },
        { 'changes.value.from': address },
        // Address of a report recipient.
        { 'changes.email.to': address },
        { 'changes.email.from': address },
        { 'changes.to.to': createExactPattern(address) },
      ],
    }),
    erase: eraseAuditEntry,
  },
  { collection: 'suppression_ledger', where: ({ address }) => ({ value: address }), erase: eraseReason },
  { collection: 'suppressions', where: ({ address }) => ({ value: address }), erase: eraseReason },
  // Counted by its job: the record remains, and an unresolved item is not processed any further.
  { collection: 'enrichment_items', where: ({ address }) => ({ address }), erase: eraseItem },
  // Reports come before their recipients. A report that is being sent ends: its outcome is not recorded.
  { collection: 'reports', where: ({ address }) => ({ email: address }), erase: remove },
  { collection: 'report_recipients', where: ({ address }) => ({ email: address }), erase: remove },
  // Link to the person in a CRM. A later sync does not restore it: by then the address is suppressed.
  { collection: 'crm_links', where: ({ address }) => ({ email: address }), erase: remove },
  // Counted by its job: the record remains.
  { collection: 'crm_sync_results', where: ({ address }) => ({ email: address }), erase: eraseSyncResult },
  {
    collection: 'crm_sync_jobs',
    where: ({ address }) => ({ 'faults.email': address, failedCount: { $gt: 0 } }),
    erase: eraseSyncFaults,
  },
  // The last one, because the collections above are found through its leads. Leads with an email on its way wait for
  // it.
  {
    collection: 'campaign_leads',
    where: ({ address }) => ({ email: address }),
    settled: { sendId: null },
    erase: eraseLead,
  },
];

/** The other collections of a workspace, and why they contain no data of the people that it writes to. */
export const IMPERSONAL: Readonly<Record<string, string>> = {
  agent_kill_switches: 'whether the workspace’s agents are switched off',
  agent_trainings:
    'progress of reading the workspace’s own website, and a summary of it without other people’s addresses',
  agents: 'descriptions of the workspace itself and of its style',
  crm_automations: 'settings of automatic syncs',
  blacklist_findings: 'blacklist results for the workspace’s own domains and addresses',
  blacklist_schedules: 'schedules for tests of the workspace’s own mailboxes',
  mailbox_blacklist_statuses: 'blacklist entries of the workspace’s mailboxes',
  blacklist_tests: 'tests of the workspace’s own mailboxes',
  bounce_tallies: 'figures of campaigns, mailboxes and sender domains',
  campaign_days: 'figures',
  campaign_mailboxes: 'figures',
  campaign_sequences: 'templates before personalisation',
  campaigns: 'settings',
  chat_connections: 'credentials of the workspace’s own chat, and its settings',
  chat_work_partitions: 'leases of work partitions',
  chat_messages: 'ids of events; their texts are written when they are posted',
  credit_accounts: 'figures',
  credit_entries: 'charges, with the member who caused them',
  credit_reservations: 'figures',
  crm_work_partitions: 'leases of work partitions',
  crm_connections: 'credentials of the workspace’s own CRM account, and field mappings',
  domain_health: 'DNS records of the workspace’s own domains',
  domain_health_history: 'statuses and figures of the workspace’s own domains',
  enrichment_jobs: 'settings and figures',
  enrichment_work_partitions: 'leases of work partitions',
  enrichment_staged_items: 'ids of jobs',
  enrichment_tools: 'credentials of the workspace’s own tool, and where its results are saved',
  oauth_consents: 'consent sessions for the workspace’s own vendor accounts',
  invitations: 'future members of the workspace, who are not recipients of its mail',
  lead_import_chunks: 'an uploaded file, deleted when its import ends; an erasure reports open imports',
  lead_imports: 'name and columns of a file',
  mailbox_days: 'figures',
  mailbox_oauth_sessions: 'consent sessions for the workspace’s own mailboxes',
  mailbox_syncs: 'sync positions in mailboxes',
  mailbox_leases: 'leases, run times and budgets of mailboxes',
  mailboxes: 'the workspace’s own mailboxes',
  model_days: 'figures',
  protected_subjects: 'campaigns, mailboxes and sender domains',
  report_settings: 'sender settings of the workspace’s reports',
  send_quotas: 'figures by domain',
  sending_addresses: 'sending addresses of the workspace’s own mailboxes',
  tracking_hosts: 'the workspace’s own host',
  warmup_days: 'figures',
  warmup_mails: 'mails between mailboxes of the installation',
  warmup_threads: 'mails between mailboxes of the installation',
  warmups: 'settings and figures of the workspace’s own mailboxes',
  webhook_work_partitions: 'leases of work partitions',
  webhook_replays: 'periods',
  webhooks: 'the workspace’s own receivers',
  workspace_keys: 'keys',
};
