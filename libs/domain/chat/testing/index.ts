export { chatConnection, chatMessage } from './chat-records';
