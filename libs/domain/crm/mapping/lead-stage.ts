/** The stages of a person, strongest first. */
export const LEAD_STAGES = ['bounced', 'unsubscribed', 'positive', 'replied', 'opened', 'contacted', 'new'] as const;
export type LeadStage = (typeof LEAD_STAGES)[number];

/** Facts about a person over all campaigns; auto-replies do not count. */
export type StageFacts = Readonly<Record<Exclude<LeadStage, 'new'>, boolean>>;

/** Pure. */
export function getStage(facts: StageFacts): LeadStage {
  return LEAD_STAGES.find((stage) => stage === 'new' || facts[stage]) ?? 'new';
}
