"use strict";
// Game trees as in engine/lab/trees: nodes numbered in preorder, root 0 and MAX, leaves exact integers (BigInt).

const INF = 1n << 64n;
const MASK = INF - 1n;

class TreeError extends Error {}

// JSON with integers of any size: every number becomes the string "=number", every string "'string".
function parseExactly(text) {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (word) => word[0] === '"' ? `"'${word.slice(1)}` : `"=${word}"`);
  try {
    return JSON.parse(marked);
  } catch {
    throw new TreeError("this is no JSON");
  }
}

// A tree from the text of a tree file: a nested list, or {"tree": ...}, alone or in a list of one.
function parseTree(text) {
  let data = parseExactly(text);
  const key = "'tree";  // as parseExactly writes it
  if (Array.isArray(data) && data.length === 1 && data[0]?.[key] !== undefined) data = data[0];
  if (data !== null && typeof data === "object" && !Array.isArray(data)) data = data[key];
  return makeTree(data, (leaf) => {
    if (typeof leaf !== "string" || !/^=-?\d+$/.test(leaf)) throw new TreeError("a tree is a nested list of integers");
    return BigInt(leaf.slice(1));
  });
}

// Flattens nested arrays; `number` turns a leaf into a BigInt.
function makeTree(nested, number = (leaf) => leaf) {
  const tree = { children: [], values: [], parent: [], ply: [], leafNumber: [], leaves: [] };
  const stack = [[nested, -1]];
  while (stack.length) {
    const [item, parent] = stack.pop();
    const node = tree.children.length;
    const inner = Array.isArray(item);
    if (inner && !item.length) throw new TreeError("every inner node needs at least one child");
    tree.children.push([]);
    tree.parent.push(parent);
    tree.ply.push(parent < 0 ? 0 : tree.ply[parent] + 1);
    tree.values.push(inner ? 0n : number(item));
    tree.leafNumber.push(inner ? -1 : tree.leaves.length);
    if (!inner) {
      if (tree.values[node] >= INF / 2n || tree.values[node] <= -INF / 2n) throw new TreeError("a leaf must lie within 63 bits");
      tree.leaves.push(node);
    }
    if (parent >= 0) tree.children[parent].push(node);
    if (inner) for (let i = item.length - 1; i >= 0; i--) stack.push([item[i], node]);
  }
  tree.size = tree.children.length;
  tree.depth = tree.ply.reduce((a, b) => Math.max(a, b), 0);
  tree.last = lastBelow(tree);
  tree.names = names(tree);
  return tree;
}

const isLeaf = (tree, node) => tree.leafNumber[node] >= 0;
const isMax = (tree, node) => tree.ply[node] % 2 === 0;

// The nodes below n are n + 1 .. last[n].
function lastBelow(tree) {
  const last = tree.children.map((_, node) => node);
  for (let node = tree.size - 1; node > 0; node--) last[tree.parent[node]] = Math.max(last[tree.parent[node]], last[node]);
  return last;
}

// a, b, c, ... level by level, as the pictures in the literature name nodes.
function names(tree) {
  const levels = Array.from({ length: tree.depth + 1 }, () => []);
  tree.ply.forEach((ply, node) => levels[ply].push(node));
  const found = new Array(tree.size);
  levels.flat().forEach((node, rank) => { found[node] = letters(rank); });
  return found;
}

function letters(rank) {
  let text = "";
  for (; rank >= 0; rank = Math.floor(rank / 26) - 1) text = String.fromCharCode(97 + rank % 26) + text;
  return text;
}

// The text of the tree's file.
function textOf(tree) {
  const text = new Array(tree.size);
  for (let node = tree.size - 1; node >= 0; node--) {
    text[node] = isLeaf(tree, node) ? String(tree.values[node]) : `[${tree.children[node].map((child) => text[child]).join(", ")}]`;
  }
  return text[0];
}

function minimaxValues(tree) {
  const values = [...tree.values];
  for (let node = tree.size - 1; node >= 0; node--) {
    if (isLeaf(tree, node)) continue;
    const better = isMax(tree, node) ? (a, b) => a > b : (a, b) => a < b;
    values[node] = tree.children[node].map((child) => values[child]).reduce((a, b) => better(b, a) ? b : a);
  }
  return values;
}

// Random trees, the same as those of `sssnake lab tree`. SplitMix64's finaliser: Steele, Lea & Flood 2014.
function mix(x) {
  x = (x + 0x9E3779B97F4A7C15n) & MASK;
  x = ((x ^ (x >> 30n)) * 0xBF58476D1CE4E5B9n) & MASK;
  x = ((x ^ (x >> 27n)) * 0x94D049BB133111EBn) & MASK;
  return x ^ (x >> 31n);
}

function randomTree({ width, depth, seed, values = 100n, irregular = false, order = 0 }) {
  const nested = order > 0 ? orderedNested(width, depth, seed, values, order) : randomNested(width, depth, seed, values, irregular);
  return makeTree(nested);
}

function randomNested(width, depth, seed, values, irregular) {
  const wide = BigInt(width);
  const grow = (ply, code) => {
    const draw = mix(mix(mix(seed) ^ BigInt(ply)) ^ code);
    const leaf = ply === depth || (irregular && ply > 0 && draw % 8n === 0n);
    if (leaf) return (draw >> 34n) * values >> 30n;
    const count = irregular ? 1 + Number((draw >> 32n) % wide) : width;
    return Array.from({ length: count }, (_, i) => grow(ply + 1, code * wide + BigInt(i)));
  };
  return grow(0, 0n);
}

// One child has the node's value, the others are worse by 1 .. spread; in a fraction `order` of the nodes it is the first.
function orderedNested(width, depth, seed, spread, order) {
  const wide = BigInt(width);
  const grow = (ply, code, value) => {
    if (ply === depth) return value;
    const draw = mix(mix(mix(seed) ^ BigInt(ply)) ^ code);
    const sorted = Number(draw & 0xFFFFFFFFn) < order * 2 ** 32;
    const best = sorted ? 0 : Number((draw >> 32n) % wide);
    return Array.from({ length: width }, (_, i) => {
      const loss = i === best ? 0n : 1n + mix(draw + BigInt(i) + 1n) % spread;
      return grow(ply + 1, code * wide + BigInt(i), ply % 2 ? value + loss : value - loss);
    });
  };
  return grow(0, 0n, 0n);
}
