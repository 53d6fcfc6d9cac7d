import { declarePersonal, type PersonalDataProvider } from '@platform/personal-data';
import { AgentReplyRecord } from './schemas/agent-reply.record';
import { AgentTextRecord } from './schemas/agent-text.record';
import { AgentPageRecord } from './training/schemas/agent-page.record';

export const AGENTS_PERSONAL_DATA: PersonalDataProvider = {
  collections: [
    // A running agent reply ends, because nothing finds it again. The queued inbox reply is waited for by the inbox.
    declarePersonal(AgentReplyRecord, {
      foundBy: { conversationIds: ['conversationId'], address: ['email'], mentions: ['text'] },
      erases: 'all',
      erase: () => 'delete',
    }),
    declarePersonal(AgentTextRecord, {
      foundBy: { conversationIds: ['conversationId'], mentions: ['subject', 'text', 'unused.text'] },
      erases: 'all',
      erase: () => 'delete',
    }),
    declarePersonal(AgentPageRecord, {
      foundBy: { mentions: ['url', 'title', 'description', 'text'] },
      erases: 'all',
      erase: () => 'delete',
    }),
  ],
};
