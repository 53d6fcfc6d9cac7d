import { type CreateAgentRequest, type UpdateAgentRequest } from './agent-requests.dto';
import { type TurnAgentSwitchRequest } from './agent-switch.dto';

/** Example bodies for the API documentation. */
export const AGENT_EXAMPLES: {
  create: CreateAgentRequest;
  update: UpdateAgentRequest;
  turn: TurnAgentSwitchRequest;
} = {
  create: {
    name: 'Iris',
    companyInfo: { name: 'Acme', description: 'Heat pumps for old houses' },
    companyUrl: 'https://acme.example.com/',
    persona: {
      tone: 'friendly',
      role: 'Account executive',
      communicationStyle: 'short, no jargon',
      customInstructions: 'For a call: https://cal.example.com/acme',
    },
  },
  update: {
    autonomousMode: {
      enabled: true,
      labels: ['positive', 'neutral'],
      workingHours: { timezone: 'Europe/Berlin', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3, 4, 5] },
      stopWords: ['lawyer', 'refund'],
    },
    followupSettings: { enabled: true, maxFollowups: 2, delayDays: 3 },
  },
  turn: { off: true, reason: 'Wrong prices on the website' },
};
