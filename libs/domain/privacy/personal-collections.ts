import {
  erasedAudit,
  erasedConversation,
  erasedDelivery,
  erasedEnvelope,
  erasedEvent,
  erasedItem,
  erasedLead,
  erasedMessage,
  erasedReason,
  erasedRefusals,
  erasedSend,
  erasedSyncFaults,
  erasedSyncResult,
  type Erasure,
  type StoredRecord,
} from './erasure-rules';
import { exactPattern, mentionPattern, type Subject } from './subject';

/** What one collection may know of a person. */
export interface PersonalCollection {
  readonly collection: string;
  /** Records that may be about it, apart from the workspace that they are looked for in. */
  where(subject: Subject): Record<string, unknown>;
  /** What must hold of them besides before they are erased: nobody has them in hand. Told of are all of them. */
  readonly settled?: Readonly<Record<string, unknown>>;
  erase(record: StoredRecord, subject: Subject): Erasure;
}

const remove = (): Erasure => 'delete';
/** Somebody has it in hand: it is let alone, and erased when that is over. */
const OPEN_SENDS = ['claimed', 'wire', 'withheld', 'ambiguous'];
const OPEN_REPLIES = [...OPEN_SENDS, 'queued', 'retry'];

/** What is on its way to the person and cannot be erased yet. */
export const ON_THEIR_WAY: readonly Pick<PersonalCollection, 'collection' | 'where'>[] = [
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
 * Everything that may know an address, in the order in which it is erased: what is found by means of something else comes
 * before that, so that an erasure that was interrupted finds the rest.
 */
export const PERSONAL: readonly PersonalCollection[] = [
  {
    collection: 'inbox_replies',
    where: ({ conversationIds, address }) => ({
      $or: [{ conversationId: { $in: conversationIds } }, { email: address }, { 'to.address': exactPattern(address) }],
    }),
    settled: { state: { $nin: OPEN_REPLIES } },
    erase: remove,
  },
  {
    collection: 'conversation_messages',
    where: ({ conversationIds, address }) => ({
      $or: [
        { conversationId: { $in: conversationIds } },
        ...['from', 'to', 'cc', 'replyTo'].map((field) => ({ [`${field}.address`]: exactPattern(address) })),
        ...['subject', 'text', 'fullText', 'html'].map((field) => ({ [field]: mentionPattern(address) })),
      ],
    }),
    erase: erasedMessage,
  },
  {
    collection: 'conversations',
    where: ({ conversationIds, address }) => ({
      $or: [
        { _id: { $in: conversationIds } },
        ...['preview', 'subject', 'name'].map((field) => ({ [field]: mentionPattern(address) })),
      ],
    }),
    erase: erasedConversation,
  },
  {
    collection: 'mailbox_messages',
    where: ({ address }) => ({
      $or: [
        { 'from.address': exactPattern(address) },
        { 'to.address': exactPattern(address) },
        { subject: mentionPattern(address) },
        { 'tasks.address': address },
      ],
    }),
    erase: erasedEnvelope,
  },
  // What is under way ends with it: nothing finds it any more. What the inbox has is waited for there.
  {
    collection: 'agent_replies',
    where: ({ conversationIds, address }) => ({
      $or: [{ conversationId: { $in: conversationIds } }, { email: address }, { text: mentionPattern(address) }],
    }),
    erase: remove,
  },
  // Words are made when the CRM is told: who is erased is not told of. What it was told is the CRM's own.
  { collection: 'crm_activities', where: ({ leadIds }) => ({ leadId: { $in: leadIds } }), erase: remove },
  { collection: 'crm_due_pushes', where: ({ leadIds }) => ({ leadId: { $in: leadIds } }), erase: remove },
  {
    collection: 'agent_texts',
    where: ({ conversationIds, address }) => ({
      $or: [
        { conversationId: { $in: conversationIds } },
        { subject: mentionPattern(address) },
        { text: mentionPattern(address) },
        { 'unused.text': mentionPattern(address) },
      ],
    }),
    erase: remove,
  },
  {
    collection: 'agent_pages',
    where: ({ address }) => ({
      $or: ['url', 'title', 'description', 'text'].map((field) => ({ [field]: mentionPattern(address) })),
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
    erase: erasedSend,
  },
  {
    collection: 'events',
    where: ({ leadIds, address }) => ({
      $or: [
        { leadId: { $in: leadIds } },
        { 'data.email': address },
        { 'data.from': exactPattern(address) },
        { 'data.text': mentionPattern(address) },
        { 'data.reason': mentionPattern(address) },
      ],
    }),
    erase: erasedEvent,
  },
  // What waits is not sent any more either.
  {
    collection: 'webhook_deliveries',
    where: ({ leadIds, address }) => ({
      $or: [
        { leadId: { $in: leadIds } },
        { body: mentionPattern(address) },
        { 'attempts.response': mentionPattern(address) },
      ],
    }),
    erase: erasedDelivery,
  },
  {
    collection: 'lead_import_refusals',
    where: ({ address }) => ({
      $or: [{ 'rows.cells': mentionPattern(address) }, { 'rows.detail': mentionPattern(address) }],
    }),
    erase: erasedRefusals,
  },
  {
    collection: 'audit_entries',
    where: ({ leadIds, conversationIds, address }) => ({
      $or: [
        { 'target.id': { $in: [...leadIds, ...conversationIds].map((id) => id.toHexString()) } },
        { 'changes.values.to': address },
        { 'changes.value.from': address },
        // A recipient of reports.
        { 'changes.email.to': address },
        { 'changes.email.from': address },
        { 'changes.to.to': exactPattern(address) },
      ],
    }),
    erase: erasedAudit,
  },
  { collection: 'suppression_ledger', where: ({ address }) => ({ value: address }), erase: erasedReason },
  { collection: 'suppressions', where: ({ address }) => ({ value: address }), erase: erasedReason },
  // Counted by its job: the record stays, and what nobody knows yet is not found out any more.
  { collection: 'enrichment_items', where: ({ address }) => ({ address }), erase: erasedItem },
  // Before whom they were for. One that is being given to a server ends there: nobody writes of it any more.
  { collection: 'reports', where: ({ address }) => ({ email: address }), erase: remove },
  { collection: 'report_recipients', where: ({ address }) => ({ email: address }), erase: remove },
  // Who the person is in a CRM. What a sync brings again is not kept: the address is on the list by now.
  { collection: 'crm_links', where: ({ address }) => ({ email: address }), erase: remove },
  // Counted by its job: the record stays.
  { collection: 'crm_sync_results', where: ({ address }) => ({ email: address }), erase: erasedSyncResult },
  {
    collection: 'crm_sync_jobs',
    where: ({ address }) => ({ 'faults.email': address, failedCount: { $gt: 0 } }),
    erase: erasedSyncFaults,
  },
  // The last: everything above is found by its leads. Those with an email on its way wait for it.
  {
    collection: 'campaign_leads',
    where: ({ address }) => ({ email: address }),
    settled: { sendId: null },
    erase: erasedLead,
  },
];

/** The other collections of a workspace, and why they know nothing of the people that it writes to. */
export const IMPERSONAL: Readonly<Record<string, string>> = {
  agent_switches: 'whether the workspace’s agents are switched off',
  agent_trainings:
    'how far the reading of the workspace’s own website is, and a summary of it without strangers’ addresses',
  agents: 'what the workspace says of itself and how it writes',
  crm_automations: 'what happens with the workspace’s CRMs by itself',
  blacklist_findings: 'what blacklists say of the workspace’s own domains and addresses',
  blacklist_schedules: 'how often mailboxes of the workspace are tested',
  blacklist_standings: 'in which blacklists the workspace’s mailboxes are',
  blacklist_tests: 'tests of the workspace’s own mailboxes',
  bounce_tallies: 'figures of campaigns, mailboxes and sender domains',
  campaign_days: 'figures',
  campaign_mailboxes: 'figures',
  campaign_sequences: 'texts before anybody’s name is put into them',
  campaigns: 'settings',
  chat_connections: 'how the workspace’s own chat is reached, and what is told there',
  chat_lanes: 'whose turn it is',
  chat_messages: 'ids of events; their texts are written when they are posted',
  credit_accounts: 'figures',
  credit_entries: 'who of the workspace paid for what',
  credit_reservations: 'figures',
  crm_lanes: 'whose turn it is',
  crm_connections: 'how the workspace’s own account at a CRM is reached, and which fields go where',
  domain_health: 'DNS records of the workspace’s own domains',
  domain_health_history: 'statuses and figures of the workspace’s own domains',
  enrichment_jobs: 'settings and figures',
  enrichment_lanes: 'whose turn it is',
  enrichment_loose_items: 'ids of jobs',
  enrichment_tools: 'how the workspace’s own tool is reached, and where its results land',
  integration_consents: 'how the workspace’s own account at a vendor was connected',
  invitations: 'people who are to work in the workspace: theirs is another relation',
  lead_import_chunks: 'an uploaded file, gone when its import is done; an erasure says when there is one',
  lead_imports: 'name and columns of a file',
  mailbox_days: 'figures',
  mailbox_oauth_sessions: 'how a mailbox of the workspace was connected',
  mailbox_syncs: 'places in mailboxes',
  mailbox_turns: 'whose turn it is',
  mailboxes: 'the workspace’s own mailboxes',
  model_days: 'figures',
  protected_subjects: 'campaigns, mailboxes and sender domains',
  report_settings: 'from where the workspace’s reports are sent',
  send_quotas: 'figures by domain',
  sending_addresses: 'from where the workspace’s own mailboxes send',
  tracking_hosts: 'the workspace’s own host',
  warmup_days: 'figures',
  warmup_mails: 'mails between mailboxes of the installation',
  warmup_threads: 'mails between mailboxes of the installation',
  warmups: 'settings and figures of the workspace’s own mailboxes',
  webhook_lanes: 'whose turn it is',
  webhook_replays: 'windows of time',
  webhooks: 'the workspace’s own receivers',
  workspace_keys: 'keys',
};
