import { type Material } from '../reply-prompt';

/** The prompt content of a reply of Acme's agent to Ada. */
export const MATERIAL: Material = {
  agent: {
    name: 'Iris',
    companyInfo: { name: 'Acme', description: 'Heat pumps', domain: 'acme.com' },
    persona: { tone: 'friendly', role: 'Sales', communicationStyle: 'short', customInstructions: 'Offer a call.' },
  },
  known: { profile: null, excerpts: [{ url: 'https://acme.com/', title: 'Acme', text: 'We sell heat pumps.' }] },
  sender: 'Grace',
  subject: 'Your roadmap',
  thread: [
    { direction: 'sent', at: new Date('2026-11-24T09:00:00Z'), text: 'May I show you how it works?' },
    { direction: 'received', at: new Date('2026-11-25T09:00:00Z'), text: 'Sounds good, when could we have a call?' },
  ],
  instructions: null,
};
