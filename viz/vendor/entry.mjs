// What vis-network.min.js offers, by the name vis.
export { DataSet, DataView } from "vis-data/esnext";
export { Network } from "vis-network/esnext";
