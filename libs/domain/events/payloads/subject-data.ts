import { count, flag, id, instant, nullable, object, getOne, percent, ratio, text, texts } from './shape';

/** Of what came back, when that was too much (docs/users/mailboxes.md). */
const evidence = nullable(
  object('What it was stopped for; null when it was not that too much came back.', {
    sends: count('Emails sent in the time.', 240),
    bounces: count('Those of them that came back.', 12),
    rate: ratio('Bounces by sends.', 0.05),
    bound: ratio('Lower bound of the rate, with 95 % confidence.', 0.0319),
    from: instant('Beginning of the time.', '2026-10-24T00:00:00.000Z'),
    to: instant('End of the time.', '2026-11-21T10:15:00.000Z'),
  }),
);

const name = text('Name of the campaign.', 'Autumn');
const email = text('Address of the mailbox.', 'grace@example.org');

export const CAMPAIGN_DATA = {
  'campaign.started': object('A campaign was started, for the first time or anew.', { name }),
  'campaign.paused': object('A campaign was paused, by a person or because too much came back.', {
    name,
    code: nullable(text('Why, when no person did it: `bounce_rate`.', 'bounce_rate')),
    message: nullable(
      text('The same for a person.', '12 of 240 emails of this campaign in 28 days came back (5.0 %).'),
    ),
    evidence,
  }),
  'campaign.resumed': object('A campaign goes on, because of a person or of leads that were added.', {
    name,
    reason: nullable(text('Why, when no person did it.', 'leads were added')),
  }),
  'campaign.completed': object('A campaign has no lead left to write to.', { name }),
};

export const LEAD_DATA = {
  'lead.completed': object('Nothing more is sent to a lead.', {
    email: text('Address of the lead.', 'ada@example.com'),
    status: getOne('What it is now.', ['completed', 'bounced']),
    reason: getOne('Why.', [
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
    provider: getOne('Where it is.', ['google', 'microsoft', 'custom']),
    connectionType: getOne('How it is reached.', ['oauth', 'smtp']),
  }),
  'mailbox.disconnected': object('A mailbox can no longer be reached.', {
    email,
    reason: getOne('Why: `unreachable` mends itself, the others need a person.', [
      'unreachable',
      'login_refused',
      'authorisation_gone',
    ]),
    error: object('The last answer of its server.', {
      code: nullable(text('Reply code, HTTP status or response code of IMAP.', '421')),
      command: nullable(text('The command that was answered.', 'LOGIN')),
      message: text('One sentence.', 'imap.example.org did not answer within 30 seconds'),
    }),
  }),
  'mailbox.reconnected': object('A mailbox can be reached again.', {
    email,
    disconnectedAt: instant('When it was lost.', '2026-11-21T08:40:00.000Z'),
  }),
  'mailbox.health_changed': object('A DNS check of its domain began to fail, or fails no more.', {
    email,
    domain: text('The domain.', 'example.org'),
    check: getOne('The check.', ['spf', 'dkim', 'dmarc', 'mx']),
    from: getOne('What it said before, when it last could say something.', ['pass', 'warn', 'fail']),
    to: getOne('What it says now.', ['fail', 'warn', 'pass']),
    healthScore: nullable(percent('Score of the domain now.', 60)),
    problems: texts('Codes of what was found wrong, the worst first.', 'spf_too_many_lookups'),
  }),
  'mailbox.blacklisted': object('A mailbox is in a blacklist that counts, and was in none by its last test.', {
    mailboxId: id('The mailbox.', '6740a1b2c3d4e5f607182930'),
    email,
    zones: texts('The blacklists.', 'zen.spamhaus.org', 'dbl.spamhaus.org'),
    testId: id('The test that found out.', '6740a1b2c3d4e5f607182931'),
  }),
  'mailbox.deleted': object('A mailbox was deleted.', { email }),
  'mailbox.sending_stopped': object('A mailbox sends nothing more until a person resumes it.', {
    code: getOne('`BOUNCE_RATE`: too much came back; `REFUSED`: its server refused because of who sends.', [
      'BOUNCE_RATE',
      'REFUSED',
    ]),
    reason: text('One sentence.', '12 of 240 emails of this mailbox in 28 days came back (5.0 %).'),
    of: nullable(getOne('Of what too much came back.', ['mailbox', 'domain'])),
    domain: nullable(text('The domain of which too much came back.', 'example.org')),
    evidence,
  }),
};

export const BLACKLIST_DATA = {
  'blacklist.completed': object('A blacklist test is done.', {
    testId: id('The test.', '6740a1b2c3d4e5f607182931'),
    testCode: text('Its code.', 'BL-1763712000000-9f86d081'),
    testName: text('Its name.', 'All senders'),
    totalChecked: count('Mailboxes of which at least one blacklist said something.', 12),
    clean: count('Those of them that are in none that counts.', 11),
    blacklisted: count('Those of them that are in at least one.', 1),
  }),
};

export const AGENT_DATA = {
  'agent.trained': object('An agent has read its website.', {
    agentId: id('The agent.', '6740a1b2c3d4e5f607182932'),
    trainingId: id('The training.', '6740a1b2c3d4e5f607182933'),
    url: text('Where it began.', 'https://acme.example/'),
    pages: count('Pages of which the text was taken.', 24),
    hasProfile: flag('Whether a profile was written from them; not without a language model.', true),
  }),
};

export const ENRICHMENT_DATA = {
  'enrichment.completed': object('An enrichment job is done.', {
    jobId: text('The job.', 'ev_1763712000000_9f86d081884c'),
    type: getOne('What it was to find out.', ['email_verification', 'person_enrichment']),
    totalItems: count('Addresses in all.', 50),
    successCount: count('Those of which something is known now.', 49),
    failedCount: count('Those that could not be carried out.', 1),
    creditsUsed: count('Credits for decisive answers.', 47),
  }),
};

export const WEBHOOK_DATA = {
  'webhook.disabled': object('A webhook was made inactive, not by a person.', {
    webhookId: id('The webhook.', '6740a1b2c3d4e5f60718294a'),
    name: text('Its name.', 'CRM'),
    reason: getOne('`failing`: nothing but failures for days; `gone`: its receiver answered 410.', ['failing', 'gone']),
    failingSince: nullable(instant('Since when every attempt failed.', '2026-11-16T08:00:00.000Z')),
  }),
};

export const INTEGRATION_DATA = {
  'integration.disconnected': object('A chat or a CRM does not let us in any more; somebody has to connect it again.', {
    name: getOne('Which one.', ['slack', 'hubspot', 'salesforce', 'pipedrive', 'zoho', 'close', 'attio']),
    code: text('Code of what went wrong.', 'CRM_NOT_AUTHORISED'),
    reason: text('One sentence.', 'The CRM does not accept the key any more'),
  }),
  'crm.sync_completed': object('A sync with a CRM is done.', {
    jobId: id('The job.', '6740a1b2c3d4e5f607182934'),
    crmType: getOne('The CRM.', ['hubspot', 'salesforce', 'pipedrive', 'zoho', 'close', 'attio']),
    jobType: getOne('`pull`: from the CRM to leads; `push`: from leads to the CRM.', ['pull', 'push']),
    dryRun: flag('Whether it only told what it would change.', false),
    totalRecords: count('People in all.', 120),
    created: count('Those who were new on the other side.', 20),
    updated: count('Those who were changed there.', 15),
    unchanged: count('Those who were there as they should be.', 80),
    conflicts: count('Those whom both sides claim or changed.', 1),
    skipped: count('Those who were left out, such as suppressed ones.', 3),
    failed: count('Those who were refused.', 1),
  }),
};
