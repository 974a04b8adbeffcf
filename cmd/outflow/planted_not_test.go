package main

// unplantable are the rules that no trace can carry, and why.
var unplantable = map[string]string{}
