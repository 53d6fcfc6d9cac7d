import { type UpdateWarmupRequest } from './warmup-requests.dto';

/** Example requests for the documentation. */
export const WARMUP_EXAMPLES: { update: UpdateWarmupRequest } = {
  update: {
    startingVolume: 5,
    dailyIncrease: 2,
    targetVolume: 40,
    replyRates: { inbox: { min: 30, max: 45 }, promotions: { min: 15, max: 25 }, spam: 100 },
    weekdaysOnly: true,
    languages: ['en', 'de'],
  },
};
