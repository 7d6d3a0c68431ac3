/** What a run of a tool has found, for people and for other tools (README.md). */
import { readFileSync, writeFileSync } from 'node:fs';
import { OptionsError } from '../flags.ts';

const FORM = 'shardplane-report';
/** In a page the report is kept as well; `<` is written otherwise, so that nothing ends it. */
const KEPT = /<template id="report">(.*?)<\/template>/s;

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

export interface Line {
  readonly name: string;
  /** What it was at which second. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Plot {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

export type MarkKind = 'read' | 'write' | 'event' | 'fault' | 'error';

export interface Mark {
  readonly ms: number;
  /** Absent for what takes no time. */
  readonly endMs?: number;
  readonly kind: MarkKind;
  readonly text: string;
}

export interface Lane {
  readonly name: string;
  readonly marks: readonly Mark[];
}

export interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'unsteady';
  readonly seconds: number;
  /** '' where there is nothing to say. */
  readonly says: string;
  /** By their titles. */
  readonly texts?: Readonly<Record<string, string>>;
  /** What happened when; absent where nobody needs to know. */
  readonly timeline?: readonly Lane[];
}

export interface Report {
  readonly title: string;
  /** RFC 3339. */
  readonly made: string;
  readonly passed: boolean;
  readonly says: string;
  readonly facts: Readonly<Record<string, string>>;
  readonly figures: readonly Figure[];
  readonly plots: readonly Plot[];
  readonly cases: readonly Case[];
}

export function isPage(file: string): boolean {
  return /\.html?$/.test(file);
}

/** The report as JSON. */
export function reportText(report: Report): string {
  return JSON.stringify({ [FORM]: 1, ...report });
}

/** As it stands in a page. */
export function keptText(report: Report): string {
  const text = reportText(report).replaceAll('<', String.raw`\u003c`);
  return `<template id="report">${text}</template>`;
}

/** From a page or from JSON. Throws OptionsError for other files. */
export function readReport(file: string): Report {
  let read: unknown;
  try {
    const content = readFileSync(file, 'utf8');
    read = JSON.parse(isPage(file) ? (KEPT.exec(content)?.[1] ?? '') : content);
  } catch (error) {
    throw new OptionsError(`cannot read a report in ${file}: ${(error as Error).message}`);
  }
  if (typeof read === 'object' && read !== null && FORM in read) return read as unknown as Report;
  throw new OptionsError(`${file} is no report`);
}

/** Throws OptionsError. */
export function writeReportFile(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new OptionsError(`cannot write the report: ${(error as Error).message}`);
  }
}
