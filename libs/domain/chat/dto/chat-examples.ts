import { type SetSlackRequest } from './chat-requests.dto';

/** A body for the documentation, as somebody would send it. */
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
