import {
  type AgentCompany,
  type AgentPersona,
  type AutonomousMode,
  type FollowupSettings,
} from '../schemas/agent.record';

/** Defaults of a new agent: it writes drafts on request and sends no replies of its own. */
export const DEFAULT_COMPANY: AgentCompany = { name: '', description: '', domain: '' };

export const DEFAULT_PERSONA: AgentPersona = { tone: '', role: '', communicationStyle: '', customInstructions: '' };

export const DEFAULT_AUTONOMY: AutonomousMode = {
  enabled: false,
  labels: ['positive'],
  delayMinutes: 10,
  dailyLimit: 20,
  approval: 'required',
  workingHours: null,
  stopWords: [],
};

export const DEFAULT_FOLLOWUPS: FollowupSettings = { enabled: false, maxFollowups: 2, delayDays: 3 };
