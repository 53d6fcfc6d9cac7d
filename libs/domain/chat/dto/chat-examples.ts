import { type SetSlackRequest } from './chat-requests.dto';

/** Example body for the API documentation. */
export const SLACK_EXAMPLES: { set: SetSlackRequest } = {
  set: {
    webhookUrl: 'https://hooks.slack.com/services/T0ACME/B0SALES/secret-of-the-webhook',
    teamName: 'Acme',
    events: ['email.positive_reply', 'mailbox.disconnected', 'campaign.completed'],
    campaignIds: [],
    mode: 'digest',
    timeOfDay: '09:00',
    timezone: 'Europe/Berlin',
    enabled: true,
  },
};
