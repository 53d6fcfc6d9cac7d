import { type CreateCampaignRequest, type UpdateCampaignRequest } from './campaign-requests.dto';
import { type PublishSequenceRequest } from './sequence-requests.dto';

const FIRST = {
  name: 'Hello',
  subject: 'A question, {{firstName | default: "hello"}}',
  body: '<p>{{ spin: "Hi", "Hello" }} {{firstName | default: "there"}}, who looks after mail at {{companyName}}?</p>',
};
const FOLLOW_UP = {
  name: 'Follow-up',
  delay: { value: 3, unit: 'days' as const, workingDaysOnly: true },
  subject: '',
  body: '<p>Just in case this was lost.</p>',
};

/** Request bodies for the documentation. */
export const CAMPAIGN_EXAMPLES: {
  create: CreateCampaignRequest;
  update: UpdateCampaignRequest;
  publish: PublishSequenceRequest;
} = {
  create: {
    name: 'Autumn',
    mailboxes: ['665f1c2ab7c3d94e5f60718a'],
    sendingSchedule: { timezone: 'Europe/Berlin', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] },
    sequence: [FIRST, FOLLOW_UP],
  },
  update: { emailIntervalMinutes: 15, dailyLimit: 200, stopCompanyOnReply: true },
  publish: {
    basedOn: 1,
    sequence: [
      { ...FIRST, _id: '665f1c2ab7c3d94e5f60718b' },
      {
        name: 'Follow-up',
        delay: { value: 4, unit: 'days' },
        variants: [
          { name: 'A', subject: '', body: '<p>Just in case this was lost.</p>', weight: 3 },
          { name: 'B', subject: '', body: '<p>Shall I ask again in spring?</p>', weight: 1 },
        ],
      },
    ],
  },
};
