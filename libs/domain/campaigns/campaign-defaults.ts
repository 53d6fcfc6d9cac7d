import { type CampaignRecord, type CampaignSchedule } from './schemas/campaign.record';

/** Office hours of a working week. */
export const DEFAULT_SCHEDULE: CampaignSchedule = {
  timezone: 'UTC',
  startTime: '09:00',
  endTime: '17:00',
  workingDays: [1, 2, 3, 4, 5],
};

/** Defaults of a new campaign. Nothing is tracked: pixels and rewritten links look like spam. */
export const DEFAULT_SETTINGS = {
  mailboxRotation: 'round-robin',
  useLeadTimezone: false,
  trackOpens: false,
  trackClicks: false,
  stopOnReply: true,
  stopCompanyOnReply: false,
  includeUnsubscribeLink: true,
  emailIntervalMinutes: 10,
  dailyLimit: null,
  newLeadsPerDay: null,
  domainDailyLimit: null,
  followUpsFirst: true,
} as const satisfies Partial<CampaignRecord>;

export type CampaignSetting = keyof typeof DEFAULT_SETTINGS;

export const CAMPAIGN_SETTINGS = Object.keys(DEFAULT_SETTINGS) as CampaignSetting[];
