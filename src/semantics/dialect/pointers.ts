import { swapApproval, swapQualified } from './names.ts';
import { itemPlace, memberPlace, PLACE } from './places.ts';

/** A place in a list: its number, or its end. */
const INDEX = /^(?:0|[1-9][0-9]*|-)$/;

/** The names in a pointer of a JSON patch into a document of a kind. */
export function swapPointer(kind: string, pointer: string): string {
  const segments = pointer.split('/');
  let place: number = PLACE.root;
  for (let number = 1; number < segments.length; number += 1) {
    if (place === PLACE.opaque) break;
    const segment = segments[number] ?? '';
    segments[number] = swapSegment(segment);
    place = placeBelow(place, unescaped(segment), kind);
  }
  return segments.join('/');
}

/** The place of the value that a pointer names. */
export function pointerPlace(kind: string, pointer: string): number {
  let place: number = PLACE.root;
  for (const segment of pointer.split('/').slice(1)) {
    place = placeBelow(place, unescaped(segment), kind);
  }
  return place;
}

function placeBelow(place: number, name: string, kind: string): number {
  return INDEX.test(name) ? itemPlace(place) : memberPlace(place, name, kind);
}

function swapSegment(segment: string): string {
  const name = unescaped(segment);
  const other = swapApproval(swapQualified(name));
  return other === name || escaped(name) !== segment ? segment : escaped(other);
}

function unescaped(segment: string): string {
  return segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
