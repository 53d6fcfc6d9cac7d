/** How far a person has come, the last word first: each of the list overrides those behind it. */
export const LEAD_STAGES = ['bounced', 'unsubscribed', 'positive', 'replied', 'opened', 'contacted', 'new'] as const;
export type LeadStage = (typeof LEAD_STAGES)[number];

/** What is known of a person, over all campaigns. Automatic answers are none. */
export type StageFacts = Readonly<Record<Exclude<LeadStage, 'new'>, boolean>>;

/** Pure. */
export function getStage(facts: StageFacts): LeadStage {
  return LEAD_STAGES.find((stage) => stage === 'new' || facts[stage]) ?? 'new';
}
