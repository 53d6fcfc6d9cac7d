import { mailSandbox } from '@testing';
import { connecting, newAddress } from '../mailboxes/sandbox';

/** Fields of a body by operation; undefined removes one. */
export type Bodies = Record<string, () => Record<string, unknown>>;

/** About the workspace, on Mondays. */
const REPORTING = {
  reportType: 'workspace',
  campaignIds: [],
  schedule: { frequency: 'weekly', dayOfWeek: 1, timeOfDay: '08:00', timezone: 'Europe/Berlin' },
};
const ZONE = { timezone: 'Europe/Berlin' };

/** Accounts and addresses of the local vendors that bodies contain. */
interface VendorInput {
  slackWebhook: string;
  serviceAccountKey: string;
  crmKey: () => string;
  googleAddress: () => string;
}

/** Input that is valid beyond the definition of the schema. */
export function createBodies({ slackWebhook, serviceAccountKey, crmKey, googleAddress }: VendorInput): Bodies {
  return {
    'POST /v1/mailboxes': () => connecting({ ...logins(), ...ZONE }),
    'PATCH /v1/mailboxes/{mailboxId}': () => ({ ...connecting({ ...logins(), ...ZONE }), email: undefined }),
    'POST /v1/mailboxes/{mailboxId}/health/check': () => ({ dkimSelector: 's1' }),
    'PATCH /v1/warmup/config/{mailboxId}': () => ({ ...ZONE, windowStart: '08:00', windowEnd: '18:00' }),
    'PUT /v1/workspaces/{workspaceId}/tracking-host': () => ({ url: 'https://go.example.com' }),
    'POST /v1/suppressions': () => ({ addresses: [newAddress()], domains: ['example.org'] }),
    'POST /v1/campaigns': () => campaign(),
    'PATCH /v1/campaigns/{campaignId}': () => campaign(),
    'PUT /v1/campaigns/{campaignId}/sequence': () => ({ sequence: SEQUENCE, basedOn: undefined }),
    'POST /v1/campaigns/{campaignId}/sequence/preview': () => ({ sequence: SEQUENCE, basedOn: undefined }),
    'POST /v1/campaigns/{campaignId}/preview': () => ({ ...FIRST_EMAIL, mailboxId: undefined }),
    'POST /v1/campaigns/{campaignId}/test-email': () => ({ ...FIRST_EMAIL, to: newAddress('receiver') }),
    'POST /v1/campaigns/{campaignId}/simulate': () => ({ startAt: undefined, days: 5 }),
    'POST /v1/campaigns/{campaignId}/leads': () => ({ ...ZONE, leads: undefined }),
    'PATCH /v1/campaigns/{campaignId}/leads/{leadId}': () => ZONE,
    'POST /v1/campaigns/{campaignId}/leads/action': () => ({
      leadIds: ['0123456789abcdef01234567'],
      selectAll: undefined,
      filters: undefined,
      excludeIds: undefined,
    }),
    'PUT /v1/enrichment/tool': () => ({
      webhookUrl: 'https://tables.example.com/hook',
      authToken: undefined,
      signingSecret: undefined,
      mapping: { title: 'jobTitle' },
    }),
    'PUT /v1/integrations/slack': () => ({
      webhookUrl: slackWebhook,
      teamName: 'Acme',
      channelId: undefined,
      campaignIds: [],
      mode: 'digest',
      everyMinutes: 30,
      timeOfDay: undefined,
      ...ZONE,
    }),
    'PUT /v1/integrations/clay': () => ({
      webhookUrl: 'https://tables.example.com/hook',
      authToken: undefined,
      signingSecret: undefined,
      mapping: { title: 'jobTitle' },
    }),
    'PUT /v1/integrations/{type}': () => ({
      apiKey: crmKey(),
      accountUrl: undefined,
      enabled: true,
      ownerPolicy: 'keep',
      ownerId: null,
    }),
    'POST /v1/integrations/crm/{type}/oauth': () => ({
      redirectUrl: 'https://app.example.com/',
      accountUrl: undefined,
    }),
    'POST /v1/integrations/crm/{type}/sync': () => ({
      jobType: 'push',
      campaignId: undefined,
      filter: undefined,
      leadFilter: undefined,
    }),
    'PUT /v1/integrations/crm/{type}/mapping': () => ({
      rules: [{ lead: 'jobTitle', crm: 'jobtitle', direction: 'both', overwrite: 'always', values: null }],
    }),
    'PUT /v1/integrations/crm/{type}/automation': () => ({ campaignIds: [], pull: null, push: { everyMinutes: 60 } }),
    'POST /v1/integrations/crm/{type}/activities/backfill': () => ({ from: yesterday(), to: undefined }),
    'POST /v1/enrichment/jobs': () => ({
      type: 'email_verification',
      emails: [newAddress()],
      campaignId: undefined,
      filters: undefined,
    }),
    'POST /v1/webhooks': () => ({ url: 'https://hooks.example.com/' }),
    'PATCH /v1/webhooks/{webhookId}': () => ({ url: 'https://hooks.example.com/' }),
    'POST /v1/webhooks/{webhookId}/test': () => ({ event: undefined }),
    'POST /v1/webhooks/{webhookId}/replay': () => ({ from: yesterday() }),
    'POST /v1/agents': () => agent(),
    'PATCH /v1/agents/{agentId}': () => ({ ...agent(), isDefault: undefined }),
    'POST /v1/agents/{agentId}/train': () => ({ url: 'https://acme.example/' }),
    // Enabled, so that later requests are not refused.
    'PUT /v1/agents/switch': () => ({ off: false }),
    'PUT /v1/reports/settings': () => ({ mailboxId: '0123456789abcdef01234567' }),
    'POST /v1/reports/recipients': () => ({ ...REPORTING, email: newAddress() }),
    'PATCH /v1/reports/recipients/{recipientId}': () => ({ ...REPORTING, active: true, email: newAddress() }),
    'PATCH /v1/inbox/{conversationId}': () => ({ leadId: undefined }),
    'POST /v1/integrations/slack/oauth': () => ({ redirectUrl: 'https://app.example.com/' }),
    'POST /v1/mailboxes/oauth/{provider}': () => ({ redirectUrl: 'https://app.example.com/', mailboxId: undefined }),
    'POST /v1/mailboxes/service-account': () => ({
      ...ZONE,
      email: googleAddress(),
      serviceAccountKey,
      mailboxId: undefined,
    }),
  };
}

const SEQUENCE = [
  { subject: 'Hello {{firstName}}', body: '<p>First</p>' },
  { subject: '', body: '<p>Second</p>', delay: { value: 2 } },
];

/** Without a website, so that nothing external is fetched. */
const agent = () => ({
  companyInfo: { name: 'Acme' },
  companyUrl: undefined,
  autonomousMode: {
    workingHours: { ...ZONE, startTime: '09:00', endTime: '17:00', workingDays: [1] },
  },
});

/** Without a lead: sample values. */
const FIRST_EMAIL = { stepId: undefined, stepOrder: 0, variantId: undefined, leadId: undefined };

function campaign() {
  return {
    mailboxes: [],
    sequence: SEQUENCE,
    sendingSchedule: { ...ZONE, startTime: '08:00', endTime: '18:00', workingDays: [1, 2] },
    dailyLimit: 5,
    newLeadsPerDay: 5,
    domainDailyLimit: 5,
  };
}

function yesterday(): string {
  return new Date(Date.now() - 86_400_000).toISOString();
}

function logins() {
  const { password } = mailSandbox();
  return { smtpUsername: newAddress(), imapUsername: newAddress(), smtpPassword: password, imapPassword: password };
}
