export { ChatModule } from './chat.module';
export { ChatPort, type ChatChannel, type ChatGrant, type ChatTarget, type ChatTeam } from './port/chat.port';
export { ChatError, type ChatReason } from './port/chat.errors';
export { type ChatMessage, type ChatPart, type ChatRun } from './port/chat-message';
