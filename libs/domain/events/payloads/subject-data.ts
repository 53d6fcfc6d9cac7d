import { count, flag, id, instant, nullable, object, choice, percent, ratio, text, texts } from './shape';

/** The bounce figures that made bounce protection stop a sender (docs/users/mailboxes.md). */
const evidence = nullable(
  object('Figures of the bounce protection; null when it was not the cause.', {
    sends: count('Emails sent in the period.', 240),
    bounces: count('Of these, emails that bounced.', 12),
    rate: ratio('Bounces divided by sent emails.', 0.05),
    bound: ratio('Lower bound of the rate at 95 % confidence.', 0.0319),
    from: instant('Start of the period.', '2026-10-24T00:00:00.000Z'),
    to: instant('End of the period.', '2026-11-21T10:15:00.000Z'),
  }),
);

const name = text('Name of the campaign.', 'Autumn');
const email = text('Address of the mailbox.', 'grace@example.org');

export const CAMPAIGN_DATA = {
  'campaign.started': object('A campaign was started, for the first time or again.', { name }),
  'campaign.paused': object('A campaign was paused, by a person or by the bounce protection.', {
    name,
    code: nullable(text('Reason code when no person paused it: `bounce_rate`.', 'bounce_rate')),
    message: nullable(
      text('The reason as a sentence.', '12 of 240 emails of this campaign in 28 days came back (5.0 %).'),
    ),
    evidence,
  }),
  'campaign.resumed': object('A campaign was resumed, by a person or because leads were added.', {
    name,
    reason: nullable(text('Reason when no person resumed it.', 'leads were added')),
  }),
  'campaign.completed': object('A campaign has no lead left to send to.', { name }),
};

export const LEAD_DATA = {
  'lead.completed': object('A lead receives no further email of the campaign.', {
    email: text('Address of the lead.', 'ada@example.com'),
    status: choice('New status of the lead.', ['completed', 'bounced']),
    reason: choice('Reason.', [
      'finished',
      'replied',
      'auto_replied',
      'unsubscribed',
      'bounced_hard',
      'bounced_soft_limit',
      'complained',
      'suppressed',
      'company_replied',
      'manual',
      'missing_variable',
      'failed',
      'verifying',
      'verification',
      'restored',
    ]),
  }),
};

export const MAILBOX_DATA = {
  'mailbox.connected': object('A mailbox was connected.', {
    email,
    provider: choice('Provider of the mailbox.', ['google', 'microsoft', 'custom']),
    connectionType: choice('How the platform connects to it.', ['oauth', 'smtp']),
  }),
  'mailbox.disconnected': object('The connection to a mailbox was lost.', {
    email,
    reason: choice(
      'Reason. `unreachable` is retried automatically; the others need a person to reconnect the mailbox.',
      ['unreachable', 'login_refused', 'authorisation_gone'],
    ),
    error: object('Last reply of its server.', {
      code: nullable(text('SMTP reply code, HTTP status or IMAP response code.', '421')),
      command: nullable(text('The command that received this reply.', 'LOGIN')),
      message: text('The reason as a sentence.', 'imap.example.org did not answer within 30 seconds'),
    }),
  }),
  'mailbox.reconnected': object('The connection to a mailbox was restored.', {
    email,
    disconnectedAt: instant('When the connection was lost.', '2026-11-21T08:40:00.000Z'),
  }),
  'mailbox.health_changed': object('A DNS check of the domain of a mailbox started to fail, or no longer fails.', {
    email,
    domain: text('The domain.', 'example.org'),
    check: choice('The check.', ['spf', 'dkim', 'dmarc', 'mx']),
    from: choice('Last conclusive result before the change.', ['pass', 'warn', 'fail']),
    to: choice('New result.', ['fail', 'warn', 'pass']),
    healthScore: nullable(percent('New health score of the domain.', 60)),
    problems: texts('Codes of the problems found, most severe first.', 'spf_too_many_lookups'),
  }),
  'mailbox.blacklisted': object('A mailbox is on a blacklist that counts and was on none in its previous test.', {
    mailboxId: id('The mailbox.', '6740a1b2c3d4e5f607182930'),
    email,
    zones: texts('The blacklists.', 'zen.spamhaus.org', 'dbl.spamhaus.org'),
    testId: id('The blacklist test that found the listing.', '6740a1b2c3d4e5f607182931'),
  }),
  'mailbox.deleted': object('A mailbox was deleted.', { email }),
  'mailbox.sending_stopped': object('Sending from a mailbox was stopped until a person resumes it.', {
    code: choice('`BOUNCE_RATE`: the bounce rate is too high; `REFUSED`: its server rejected the sender.', [
      'BOUNCE_RATE',
      'REFUSED',
    ]),
    reason: text('The reason as a sentence.', '12 of 240 emails of this mailbox in 28 days came back (5.0 %).'),
    of: nullable(
      choice('Whether the bounce rate of the mailbox or of its domain is too high; null for `REFUSED`.', [
        'mailbox',
        'domain',
      ]),
    ),
    domain: nullable(text('The domain whose bounce rate is too high.', 'example.org')),
    evidence,
  }),
};

export const BLACKLIST_DATA = {
  'blacklist.completed': object('A blacklist test was completed.', {
    testId: id('The test.', '6740a1b2c3d4e5f607182931'),
    testCode: text('Its code.', 'BL-1763712000000-9f86d081'),
    testName: text('Its name.', 'All senders'),
    totalChecked: count('Mailboxes for which at least one blacklist gave a result.', 12),
    clean: count('Of these, mailboxes on no blacklist that counts.', 11),
    blacklisted: count('Of these, mailboxes on at least one blacklist that counts.', 1),
  }),
};

export const AGENT_DATA = {
  'agent.trained': object('The training of an agent was completed.', {
    agentId: id('The agent.', '6740a1b2c3d4e5f607182932'),
    trainingId: id('The training.', '6740a1b2c3d4e5f607182933'),
    url: text('Start page of the training.', 'https://acme.example/'),
    pages: count('Pages whose text was stored.', 24),
    hasProfile: flag('Whether a profile was written from the pages; false without a language model.', true),
  }),
};

export const ENRICHMENT_DATA = {
  'enrichment.completed': object('An enrichment job was completed.', {
    jobId: text('The job.', 'ev_1763712000000_9f86d081884c'),
    type: choice('Type of the job.', ['email_verification', 'person_enrichment']),
    totalItems: count('Total number of addresses.', 50),
    successCount: count('Addresses with a result.', 49),
    failedCount: count('Addresses that failed.', 1),
    creditsUsed: count('Credits charged for conclusive results.', 47),
  }),
};

export const WEBHOOK_DATA = {
  'webhook.disabled': object('A webhook was disabled automatically.', {
    webhookId: id('The webhook.', '6740a1b2c3d4e5f60718294a'),
    name: text('Its name.', 'CRM'),
    reason: choice('`failing`: every attempt failed for days; `gone`: its receiver answered HTTP 410.', [
      'failing',
      'gone',
    ]),
    failingSince: nullable(instant('Time since when every attempt has failed.', '2026-11-16T08:00:00.000Z')),
  }),
};

export const INTEGRATION_DATA = {
  'integration.disconnected': object('A chat or a CRM rejects the stored credentials; a person has to reconnect it.', {
    name: choice('The integration.', ['slack', 'hubspot', 'salesforce', 'pipedrive', 'zoho', 'close', 'attio']),
    code: text('Error code.', 'CRM_NOT_AUTHORISED'),
    reason: text('The reason as a sentence.', 'The CRM does not accept the key any more'),
  }),
  'crm.sync_completed': object('A sync job with a CRM was completed.', {
    jobId: id('The job.', '6740a1b2c3d4e5f607182934'),
    crmType: choice('The CRM.', ['hubspot', 'salesforce', 'pipedrive', 'zoho', 'close', 'attio']),
    jobType: choice('`pull`: from the CRM to leads; `push`: from leads to the CRM.', ['pull', 'push']),
    dryRun: flag('Whether it was a dry run, which changes nothing.', false),
    totalRecords: count('Total number of people.', 120),
    created: count('People created on the receiving side.', 20),
    updated: count('People changed on the receiving side.', 15),
    unchanged: count('People that needed no change.', 80),
    conflicts: count('People with a conflict: claimed or changed by both sides.', 1),
    skipped: count('People left out, such as suppressed ones.', 3),
    failed: count('People whose write failed.', 1),
  }),
};
