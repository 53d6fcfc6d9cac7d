/** Measures the start of a server with the same libraries and nothing else. */
import 'reflect-metadata';
import { createServer } from 'node:http';
import 'class-transformer';
import 'class-validator';
import 'imapflow';
import 'nodemailer';
import 'undici';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { Queue } from 'bullmq';
import mongoose from 'mongoose';

const { MONGODB_URI = '', REDIS_URL = '', PORT = '' } = process.env;

class BareModule {}
Module({})(BareModule);

const app = await NestFactory.create(BareModule, new ExpressAdapter(), { logger: false });
await app.init();
await mongoose.connect(MONGODB_URI);
await new Queue('bare', { connection: { url: REDIS_URL } }).waitUntilReady();
createServer((_request, response) => response.end()).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit());
